import type { ConversionReply, ConversionRequest } from './conversion-messages.ts';
import { ConversionError, type Converted } from './converted.ts';
import { convertDocx } from './docx.ts';

// The entry of a child process: it converts Word files, one at a time, and holds nothing of the service.

async function convert({ bytes, maxOutputBytes }: ConversionRequest): Promise<Converted> {
  const converted = await convertDocx(bytes);
  if (Buffer.byteLength(converted.markdown) > maxOutputBytes) {
    throw new ConversionError(
      'output_too_large',
      `The file holds more text than can be stored (over ${Math.round(maxOutputBytes / 1_000_000)} MB). Split it into several files.`,
    );
  }
  return converted;
}

function failure(error: unknown): { code: ConversionError['code']; message: string; cause: string } {
  const cause = error instanceof Error ? String(error.cause ?? error.stack) : String(error);
  if (error instanceof ConversionError) return { code: error.code, message: error.message, cause };
  // A stack that runs over is what absurdly nested content looks like.
  const nested = error instanceof RangeError;
  const why = nested
    ? 'its content is nested too deeply'
    : 'it is built in a way that the converter does not understand';
  return {
    code: 'corrupt_file',
    message: `The file could not be converted: ${why}. Open it in Word, save it again as .docx, and upload that.`,
    cause,
  };
}

function answer(reply: ConversionReply): void {
  process.send?.(reply);
}

process.on('message', (request: ConversionRequest) => {
  convert(request).then(
    (converted) => answer({ id: request.id, converted }),
    (error: unknown) => answer({ id: request.id, error: failure(error) }),
  );
});
// Without the service there is nothing to do: a child never outlives it.
process.on('disconnect', () => process.exit(0));
