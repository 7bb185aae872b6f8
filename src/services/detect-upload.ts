import { type DetectedFormat, detectFormat, UnsupportedFileError } from '../documents/formats/detect.ts';
import { ACCEPTED_TYPES } from '../documents/formats/registry.ts';
import { AppError } from '../errors.ts';

/**
 * What an upload is, by its name and its content.
 *
 * @throws AppError `unsupported_media_type`, with what is accepted
 */
export function detectUpload(name: string, bytes: Uint8Array): DetectedFormat {
  try {
    return detectFormat(name, bytes);
  } catch (error) {
    if (!(error instanceof UnsupportedFileError)) throw error;
    throw new AppError('unsupported_media_type', {
      detail: error.message,
      extra: {
        accepted: ACCEPTED_TYPES.map(({ extension, mediaType }) => ({ extension, media_type: mediaType })),
      },
    });
  }
}
