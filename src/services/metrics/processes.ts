import type { Converter } from '../../documents/conversion/pool.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import type { RerankModel } from '../../reranking/model.ts';
import type { Figures } from '../../telemetry/metrics/figures.ts';

/** The child processes that convert, embed and rerank. */
export function addProcessFigures(
  figures: Figures,
  {
    converter,
    embeddingModel,
    rerankModel,
  }: { converter: Converter; embeddingModel: EmbeddingModel; rerankModel: RerankModel | null },
): void {
  const pools = () => {
    const encoder = embeddingModel.processes?.();
    const reranker = rerankModel?.processes?.();
    return Object.entries({
      ...converter.processes(),
      ...(encoder && { encoder }),
      ...(reranker && { reranker }),
    });
  };
  figures.gauge({
    name: 'forge_child_processes',
    help: 'Child processes that are there, by pool: converter, small_files (its lane of notes), encoder, reranker.',
    labelNames: ['pool'],
    read: () => pools().map(([pool, { running }]) => ({ labels: { pool }, value: running })),
  });
  figures.counter({
    name: 'forge_child_processes_started_total',
    help: 'Child processes started: one is replaced when it dies, is stopped, or has served its number of requests.',
    labelNames: ['pool'],
    read: () => pools().map(([pool, { started }]) => ({ labels: { pool }, value: started })),
  });
  figures.gauge({
    name: 'forge_child_requests_waiting',
    help: 'Requests that wait for a child process.',
    labelNames: ['pool'],
    read: () => pools().map(([pool, { waiting }]) => ({ labels: { pool }, value: waiting })),
  });
  figures.counter({
    name: 'forge_child_requests_total',
    help: 'Requests that child processes had, by outcome: result, failure, timed_out, out_of_memory, killed, crashed, closed.',
    labelNames: ['pool', 'outcome'],
    read: () =>
      pools().flatMap(([pool, { outcomes }]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { pool, outcome }, value })),
      ),
  });
}
