/** What is published of OpenAI's embedding models (platform.openai.com/docs/guides/embeddings, as known in November 2026). */
interface OpenAiEmbeddingModel {
  /** How many numbers to take where the settings do not say: all that it has, or as many as are stored. */
  dimensions: number;
  /** Its vectors can be shortened: it takes the parameter `dimensions`. */
  isShortenable: boolean;
}

export const OPENAI_MODELS: ReadonlyMap<string, OpenAiEmbeddingModel> = new Map([
  ['text-embedding-3-small', { dimensions: 1_536, isShortenable: true }],
  ['text-embedding-3-large', { dimensions: 1_536, isShortenable: true }],
  ['text-embedding-ada-002', { dimensions: 1_536, isShortenable: false }],
]);
