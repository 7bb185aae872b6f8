/**
 * ONNX Runtime, which is loaded only where something is embedded on this machine.
 *
 * @throws Error on a platform that it has no library for
 */
export async function loadRuntime(): Promise<typeof import('onnxruntime-node')> {
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(
      `onnxruntime-node has no library that runs here (${platform}); give a VOYAGE_API_KEY to embed with Voyage instead`,
      { cause },
    );
  }
}

/**
 * Windows are encoded side by side in processes: threads for one of them wait for each other more than they help. A small
 * encoder over 200 word pieces on two cores: two processes 85 a second, one with two threads 21, and 58 with batches of 4.
 */
export const ONE_THREAD = { intraOpNumThreads: 1, interOpNumThreads: 1 } as const;
