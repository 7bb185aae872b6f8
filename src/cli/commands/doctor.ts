import type { Command } from 'commander';
import { type Config, ConfigError, misspelledSettings, readConfig } from '../../config.ts';
import { readQueueFigures } from '../../db/jobs.ts';
import { BETTER_ENCODER, isBuiltIn } from '../../embeddings/local.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { makesVectors } from '../../embeddings/off.ts';
import { createEmbeddingModel, createRerankModel } from '../../providers.ts';
import { assertEmbeddingModel } from '../../services/embedding-settings.ts';
import { examineProvider } from '../../services/keys/provider-keys.ts';
import { version } from '../../version.ts';
import { type Api, createApi } from '../api.ts';
import { targetOf } from '../connection.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabase } from '../database.ts';
import { asCliError, CliError, EXIT } from '../exit.ts';

/** What was looked at, and what to do where something is wrong. */
interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'wrong';
  detail: string;
}

const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
const wrong = (check: string, detail: string): Finding => ({ check, status: 'wrong', detail });
const warning = (check: string, detail: string): Finding => ({ check, status: 'warning', detail });
const reasonOf = (thrown: unknown): string => {
  const error = asCliError(thrown);
  return error instanceof Error ? error.message : String(error);
};

/** `forge doctor`: what is wrong with an installation, and what to do. */
export function doctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'Look at settings, database, providers (that of tokens, too), queue and versions: what is wrong and what to do',
    )
    .addHelpText('after', '\nWith FORGE_URL it asks the service, else it opens the database of the settings.')
    .action(async (_options: object, command: Command) => {
      const out = outputOf({ command, terminal });
      const { url, key } = targetOf(terminal.environment);
      const findings = [
        ok('version', `Forge ${version}, Node.js ${process.version}`),
        ...(url === undefined
          ? await examineHere(terminal.environment)
          : await examineService(url, key ?? null)),
      ];
      if (out.isJson) out.json({ object: 'examination', findings });
      else
        for (const { check, status, detail } of findings)
          out.line(`${status.padEnd(7)}  ${check}: ${detail}`);
      if (findings.some(({ status }) => status === 'wrong')) {
        throw new CliError(EXIT.failed, 'Something is wrong; what to do is said above.');
      }
    });
}

async function examineService(url: string, key: string | null): Promise<Finding[]> {
  const api = createApi(url, key);
  try {
    const { version: theirs } = await api.call('get', '/version', {});
    const isSame = theirs === version;
    const service = isSame
      ? ok('service', `${url} runs Forge ${theirs}`)
      : warning('service', `${url} runs Forge ${theirs}, this command is ${version}: use the same version`);
    const ready = await readinessOf(api);
    return [service, ...ready];
  } catch (error) {
    return [wrong('service', reasonOf(error))];
  }
}

async function readinessOf(api: Api): Promise<Finding[]> {
  const { database, accepting, reasons, retirements, embedding, rerank, models } = await api.readiness();
  const reranker = rerank ? `, ${rerank.provider} ${rerank.model}` : '';
  return [
    database.ok ? ok('database', database.kind) : wrong('database', database.detail ?? 'does not answer'),
    ...(accepting.ok ? [] : [wrong('service', accepting.detail ?? 'takes nothing on')]),
    ok(
      'providers',
      `${embedding.provider} ${embedding.model}${reranker}, ${models.provider} ${models.answer}`,
    ),
    ...reasons.map(({ provider, phase, detail }) => wrong(`provider ${provider} (${phase})`, detail)),
    ...retirements.map(({ model, date }) => warning('model', `${model} is switched off from ${date}`)),
  ];
}

async function examineHere(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [wrong('settings', error.message)];
  }
  const model =
    config.languageModelProvider === 'offline'
      ? warning(
          'language model',
          'none: the offline rules answer. Set ANTHROPIC_API_KEY, or LLM_PROVIDER, for a model',
        )
      : ok('language model', `${config.languageModelProvider} ${config.MODEL_NAME}`);
  return [
    ok('settings', 'can be used'),
    ...misspelledSettings(environment).map((slip) => warning('settings', slip)),
    model,
    ...(config.oidc === null ? [] : [await examineIssuer(config.oidc.issuer)]),
    ...(await examineDatabase(environment, config)),
    ...(await checkReranker(config)),
  ];
}

async function examineIssuer(issuer: string): Promise<Finding> {
  try {
    const keys = await examineProvider(issuer);
    return ok('identity provider', `${issuer} answers, with ${keys} ${keys === 1 ? 'key' : 'keys'}`);
  } catch (error) {
    const until = 'Until that is mended its tokens are answered with 503; API keys go on';
    return wrong('identity provider', `${issuer}: ${reasonOf(error)}. ${until}`);
  }
}

async function examineDatabase(environment: NodeJS.ProcessEnv, config: Config): Promise<Finding[]> {
  let model: EmbeddingModel;
  try {
    model = createEmbeddingModel(config);
  } catch (error) {
    return [wrong('embedding', reasonOf(error))];
  }
  try {
    return await withDatabase(environment, async (db, _config, applied) => [
      ok(
        'database',
        `${db.kind}, ${applied.length === 0 ? 'its schema is current' : `migrated: ${applied.join(', ')}`}`,
      ),
      await assertEmbeddingModel(db, model, 'reader').then(
        () => ok('stored vectors', `made by ${model.id}`),
        (error: unknown) => wrong('stored vectors', reasonOf(error)),
      ),
      ...(await examineQueue(db)),
      await checkEmbedding(model),
    ]);
  } catch (error) {
    return [wrong('database', `${reasonOf(error)}; if a service runs on it, set FORGE_URL and ask that`)];
  } finally {
    await model.close();
  }
}

/** Asks the embedding model for one vector. */
async function checkEmbedding(model: EmbeddingModel): Promise<Finding> {
  if (!makesVectors(model))
    return warning('embedding', 'EMBEDDING_PROVIDER is off: everything goes by words');
  try {
    await model.embed(['Is there anybody?'], { inputType: 'query' });
    const answers = `${model.provider} ${model.id} answers`;
    return ok('embedding', isBuiltIn(model) ? `${answers}; ${BETTER_ENCODER}` : answers);
  } catch (error) {
    return wrong('embedding', reasonOf(error));
  }
}

/** Asks the reranker, if there is one, which of two sentences answers a question. */
async function checkReranker(config: Config): Promise<Finding[]> {
  let model: ReturnType<typeof createRerankModel> = null;
  try {
    model = createRerankModel(config);
    if (!model) return [];
    await model.tryOut?.();
    const from = performance.now();
    await model.rerank('Is there anybody?', ['Somebody is there.', 'It rains.'], {});
    const ms = Math.round(performance.now() - from);
    const answers = `${model.provider} ${model.id} answers in ${ms} ms`;
    return [
      ms <= config.RERANK_TIMEOUT_MS
        ? ok('reranker', answers)
        : warning('reranker', `${answers}: searches do not wait for longer than RERANK_TIMEOUT_MS`),
    ];
  } catch (error) {
    return [wrong('reranker', reasonOf(error))];
  } finally {
    await model?.close();
  }
}

async function examineQueue(db: Parameters<typeof readQueueFigures>[0]): Promise<Finding[]> {
  const queue = await readQueueFigures(db);
  if (queue.length === 0) return [ok('queue', 'empty')];
  return queue.map(({ kind, waiting, running, failing, last_error: error }) => {
    const counts = `${running} running, ${waiting} waiting`;
    if (failing === 0) return ok(`queue of ${kind}`, counts);
    return warning(`queue of ${kind}`, `${counts}, ${failing} of them after a failure, the newest: ${error}`);
  });
}
