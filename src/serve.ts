import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { surviveBrokenLines } from './broken-lines.ts';
import { type Config, misspelledSettings, readConfig } from './config.ts';
import { createContainer } from './container.ts';
import { startFailure } from './db/start-failure.ts';
import { BETTER_ENCODER, isBuiltIn } from './embeddings/local.ts';
import { listen } from './listen.ts';
import { retirementNotice, retirementOf } from './llm/retirement.ts';
import { createLog } from './telemetry/log.ts';
import { startTracing } from './telemetry/tracing/start.ts';
import { version } from './version.ts';

/** The shutdown keeps to its time by itself; a process that is still there so long after it is ended by force. */
const FORCED_EXIT_MS = 5_000;

/**
 * Starts the service: settings, parts, application, socket; stops it in the reverse order. A start that fails is said on standard
 * error, and ends the process.
 *
 * @param options.onStoppable told when the signals that stop it are heard
 */
export async function serve({ onStoppable }: { onStoppable(): void }): Promise<void> {
  try {
    await start(onStoppable);
  } catch (error) {
    process.stderr.write(`forge: ${startFailure(error)}\n`);
    process.exit(1);
  }
}

async function start(onStoppable: () => void): Promise<void> {
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  for (const warning of misspelledSettings(process.env)) log.warn(warning);
  if (config.languageModelProvider === 'anthropic') tellRetirements(config, log);
  const tracing = config.isTraced ? await startTracing(version, log) : undefined;
  const container = await createContainer(config, log);
  const { app, firstKey } = container;
  const delay = (config.SHUTDOWN_DELAY_SECONDS + config.SHUTDOWN_SECONDS) * 1000 + FORCED_EXIT_MS;
  surviveBrokenLines(log);
  closeWithGrace({ delay, logger: log, skip: ['uncaughtException'] }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'stopping because of a failure');
    else {
      log.info({ signal }, 'stopping');
      await container.drain();
    }
    await container.close();
    await tracing?.stop();
  });
  onStoppable();
  if (firstKey !== null) tellFirstKey(firstKey);
  await listen(app, config);
  const address = app.listeningOrigin;
  log.info(
    {
      url: address,
      docs: `${address}/docs`,
      database: container.databaseKind,
      embedding: container.embeddingModel.id,
      model: container.answerModel.id,
    },
    `Forge is listening on ${address} - open ${address}/docs`,
  );
  if (isBuiltIn(container.embeddingModel)) log.info(BETTER_ENCODER);
}

/** Says the key that was made for the first start; to the terminal and not to the log, which is kept. */
function tellFirstKey(key: string): void {
  process.stdout.write(
    `\nForge can be reached from other machines, so it asks for an API key. This is the first one, shown this once:\n\n  ${key}\n\n`,
  );
}

/** Says when the language models of the settings are switched off, as a warning where that is near or past. */
function tellRetirements(config: Config, log: Logger): void {
  const today = new Date().toISOString().slice(0, 10);
  for (const model of new Set([config.MODEL_NAME, config.ROUTER_MODEL, config.TURN_SUMMARY_MODEL])) {
    const retirement = retirementOf(model);
    if (!retirement) continue;
    const isPressing = retirement.announced || retirement.date <= today;
    log[isPressing ? 'warn' : 'info'](
      { model, ...retirement },
      `${model} ${retirementNotice(retirement, today)}`,
    );
  }
}
