import { ConversionError, type Converted } from '../formats/converted.ts';
import { convertJson } from '../formats/json/convert.ts';
import { convertMarkdown } from '../formats/markdown/convert.ts';
import { repairAdvice } from '../formats/repair-advice.ts';
import { convertText } from '../formats/text/convert.ts';
import { convertYaml } from '../formats/yaml/convert.ts';
import type { ConversionReply, ConversionRequest } from './conversion-messages.ts';
import { watchMemory } from './memory-watch.ts';
import { piecesOf } from './pieces.ts';
import { prepareDocument } from './prepare.ts';
import { warmUpWhenIdle } from './warm-up.ts';

// The entry of a child process: it converts and cuts files, one at a time, and holds nothing of the service.

/** The large readers are loaded when they are needed first. */
async function convert({ bytes, format, maxOutputBytes }: ConversionRequest): Promise<Converted> {
  switch (format) {
    case 'docx':
      return (await import('../formats/docx/convert.ts')).convertDocx(bytes);
    case 'pdf':
      return (await import('../formats/pdf/convert.ts')).convertPdf(bytes, maxOutputBytes);
    case 'yaml':
      return convertYaml(bytes);
    case 'json':
      return convertJson(bytes);
    case 'markdown':
      return convertMarkdown(bytes);
    default:
      return convertText(bytes);
  }
}

async function run(request: ConversionRequest): Promise<void> {
  const { id, maxOutputBytes } = request;
  const converted = await convert(request);
  if (Buffer.byteLength(converted.markdown) > maxOutputBytes) {
    throw new ConversionError(
      'output_too_large',
      `The file holds more text than can be stored (over ${Math.round(maxOutputBytes / 1_000_000)} MB). Split it into several files.`,
    );
  }
  answer({ id, isConverted: true });
  const prepared = prepareDocument(converted, request);
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
