import { chunkingSchema } from '../../contract/chunking.ts';
import type { Database } from '../../db/database.ts';
import { readOutlineSource, saveOutline } from '../../db/outlines.ts';
import type { Converter } from '../../documents/conversion/pool.ts';
import { formatOfMediaType, PAGED_FORMATS, textFormatOf } from '../../documents/formats/registry.ts';
import type { Outline } from '../../documents/outline/outline.ts';
import type { JobHandler } from '../../jobs/run-job.ts';
import type { OutlineTelemetry } from './telemetry.ts';

type Source = NonNullable<Awaited<ReturnType<typeof readOutlineSource>>>;

/**
 * Makes the outline of a version again, from its stored text: by the same child processes that convert, which takes as
 * long but keeps the work off this one.
 */
export function createOutlineHandler({
  db,
  converter,
  telemetry,
}: {
  db: Database;
  converter: Converter;
  telemetry: OutlineTelemetry;
}): JobHandler {
  async function outlineOf(source: Source, signal: AbortSignal): Promise<Outline> {
    const { name, format, markdown, bytes } = source;
    const chunking = chunkingSchema.parse(source.chunking);
    const uploadedAs = formatOfMediaType(source.mediaType);
    if (bytes && uploadedAs) {
      const original = { name, bytes, format: uploadedAs, chunking };
      const { converted, outline } = await converter.convert(original, { signal });
      if (converted.markdown === markdown) return outline;
    }
    // Without its pages the text of a document is plain text.
    const readAs = textFormatOf(format).hasPages ? 'text' : format;
    const text = { name, bytes: Buffer.from(markdown), format: readAs, chunking };
    const { converted, outline } = await converter.convert(text, { signal });
    if (converted.markdown !== markdown) throw new Error('the stored text is read differently');
    return outline;
  }

  return {
    async run(job, signal) {
      const version = Number(job.payload.version);
      const source = await readOutlineSource(db, job, job.subject, version, PAGED_FORMATS);
      if (!source) return;
      await saveOutline(db, job, job.subject, version, await outlineOf(source, signal));
      telemetry.add('rebuilds');
    },
    // the next reader asks for it again
    giveUp: async () => undefined,
  };
}
