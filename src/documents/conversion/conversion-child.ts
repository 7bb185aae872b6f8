import { ConversionError } from '../formats/converted.ts';
import { formatOf, repairAdvice } from '../formats/registry.ts';
import type { ConversionReply, ConversionRequest } from './conversion-messages.ts';
import { watchMemory } from './memory-watch.ts';
import { piecesOf } from './pieces.ts';
import { prepareDocument } from './prepare.ts';
import { warmUpWhenIdle } from './warm-up.ts';

// The entry of a child process: it converts and cuts files, one at a time, and holds nothing of the service.

async function run(request: ConversionRequest): Promise<void> {
  const { id, bytes, format, maxOutputBytes } = request;
  const converted = await formatOf(format).convert(bytes, { maxOutputBytes });
  if (Buffer.byteLength(converted.markdown) > maxOutputBytes) {
    throw new ConversionError(
      'output_too_large',
      `The file holds more text than can be stored (over ${Math.round(maxOutputBytes / 1_000_000)} MB). Split it into several files.`,
    );
  }
  answer({ id, isConverted: true });
  const prepared = await prepareDocument(converted, request);
  for (const piece of piecesOf(prepared)) answer({ id, piece });
  const { nodes: _, ...outline } = prepared.outline;
  answer({
    id,
    frame: { converted: prepared.converted, totalLength: prepared.postings.totalLength, outline },
  });
}

function failure(
  error: unknown,
  format: ConversionRequest['format'],
): { code: ConversionError['code']; message: string; cause: string } {
  const cause = error instanceof Error ? String(error.cause ?? error.stack) : String(error);
  if (error instanceof ConversionError) return { code: error.code, message: error.message, cause };
  // A stack that runs over is what absurdly nested content looks like.
  const nested = error instanceof RangeError;
  const why = nested
    ? 'its content is nested too deeply'
    : 'it is built in a way that the converter does not understand';
  return {
    code: 'corrupt_file',
    message: `The file could not be converted: ${why}. ${repairAdvice(format)}`,
    cause,
  };
}

function answer(reply: ConversionReply): void {
  process.send?.(reply);
}

watchMemory(Number(process.argv[2]));
const warmUp = warmUpWhenIdle();
process.on('message', (request: ConversionRequest) => {
  warmUp.busy();
  run(request)
    .catch((error: unknown) => answer({ id: request.id, error: failure(error, request.format) }))
    .finally(warmUp.idle);
});
// Without the service there is nothing to do: a child never outlives it.
process.on('disconnect', () => process.exit(0));
