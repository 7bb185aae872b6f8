import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

it.each([
  [false, {}],
  [false, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  [true, COLLECTOR],
  [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }],
  [true, { ...COLLECTOR, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }],
  [false, { ...COLLECTOR, OTEL_SDK_DISABLED: 'TRUE' }],
  [false, { ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' }],
])('traces: %s, with %o', (isTraced, environment) => {
  expect(readConfig(environment).isTraced).toBe(isTraced);
});

it('refuses an address that cannot be one', () => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http:// or https:// URL',
  );
});
