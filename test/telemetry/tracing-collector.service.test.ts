import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { withSpan } from '../../src/telemetry/tracing/span.ts';
import { startTracing, type Tracing } from '../../src/telemetry/tracing/start.ts';
import { type FakeCollector, startFakeCollector } from '../fakes/otlp-collector.ts';
import { startTestApp } from '../helpers/app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
});

async function trace(collector: FakeCollector, warn = vi.fn()): Promise<Tracing> {
  closing.push(collector.close);
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', `${collector.url}/v1/traces`);
  const tracing = await startTracing('1.2.3', { warn });
  closing.push(tracing.stop);
  return tracing;
}

const work = () => withSpan('work', {}, async () => undefined);

it('holds neither requests nor the end of the service for a collector that never answers', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '3600000');
  vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', '3600000');
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1');
  const collector = await startFakeCollector(() => undefined);
  const tracing = await trace(collector);
  await work();
  await expect.poll(collector.requests).toBe(1);
  const app = await startTestApp();
  expect((await app.call('POST', '/projects', { id: 'p', name: 'P' })).status).toBe(201);
  await app.close();
  await tracing.stop();
  // what came meanwhile was still tried
  expect(collector.requests()).toBeGreaterThan(1);
});

it('complains once of a collector that refuses, and not in its words', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1');
  const collector = await startFakeCollector((response) =>
    response.writeHead(400, 'zebrafinch').end('zebrafinch'),
  );
  const warn = vi.fn();
  await trace(collector, warn);
  for (const requests of [1, 2, 3]) {
    await work();
    await expect.poll(collector.requests).toBe(requests);
    await expect.poll(() => warn.mock.calls.length).toBe(1);
  }
  expect(JSON.stringify(warn.mock.calls)).not.toContain('zebrafinch');
});

it('names the trace in the lines of the log that belong to one', async () => {
  const collector = await startFakeCollector();
  const tracing = await trace(collector);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  await withSpan('work', {}, async () => log.info('inside'));
  log.info('outside');
  await tracing.flush();
  const span = collector.find('work');
  const [inside, outside] = lines.map((line) => JSON.parse(line));
  expect(inside).toMatchObject({ msg: 'inside', trace_id: span?.traceId, span_id: span?.spanId });
  expect(outside).not.toHaveProperty('trace_id');
});

it('tells of work that fails by its kind alone', async () => {
  const collector = await startFakeCollector();
  const tracing = await trace(collector);
  const failed = withSpan('work', {}, () => Promise.reject(new TypeError('zebrafinch')));
  await expect(failed).rejects.toThrow('zebrafinch');
  await tracing.flush();
  expect(collector.find('work')).toMatchObject({
    status: { code: 2 },
    attributes: [{ key: 'error.type', value: { stringValue: 'TypeError' } }],
  });
  expect(collector.text()).not.toContain('zebrafinch');
});

it('loads the SDK when it begins to trace, and not before', async () => {
  const script = `
    import { createRequire } from 'node:module';
    await import('./src/container.ts');
    const { startTracing } = await import('./src/telemetry/tracing/start.ts');
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@opentelemetry/sdk-trace')).length;
    const before = loaded();
    await startTracing('1.2.3', console);
    console.log(JSON.stringify([before, loaded() > 0]));
  `;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot });
  expect(JSON.parse(stdout)).toEqual([0, true]);
});
