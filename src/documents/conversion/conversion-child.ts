import { type Serving, serveRequests } from '../../processes/serve.ts';
import { ConversionError } from '../formats/converted.ts';
import { formatOf, repairAdvice } from '../formats/registry.ts';
import type { Conversion, ConversionRequest } from './conversion-messages.ts';
import { type DocumentFrame, piecesOf } from './pieces.ts';
import { prepareDocument } from './prepare.ts';
import { warmUpWhenIdle } from './warm-up.ts';

// The entry of a child process: it converts and cuts files, one at a time, and holds nothing of the service.

async function run(request: ConversionRequest, { part, step }: Serving<Conversion>): Promise<DocumentFrame> {
  const { bytes, format, maxOutputBytes } = request;
  const converted = await step('convert', () => formatOf(format).convert(bytes, { maxOutputBytes }));
  if (Buffer.byteLength(converted.markdown) > maxOutputBytes) {
    throw new ConversionError(
      'output_too_large',
      `The file holds more text than can be stored (over ${Math.round(maxOutputBytes / 1_000_000)} MB). Split it into several files.`,
    );
  }
  part({ isConverted: true });
  const prepared = await step('cut', () => prepareDocument(converted, request));
  for (const piece of piecesOf(prepared)) part({ piece });
  const { nodes: _, ...outline } = prepared.outline;
  const { totalLength, language } = prepared.postings;
  return { converted: prepared.converted, totalLength, language, outline };
}

function failure(error: unknown, { format }: ConversionRequest): Conversion['failure'] {
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

const warmUp = warmUpWhenIdle();
serveRequests<Conversion>({
  async serve(request, serving) {
    warmUp.busy();
    try {
      return await run(request, serving);
    } finally {
      warmUp.idle();
    }
  },
  toFailure: failure,
});
