import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../src/contract/chunking.ts';
import {
  type Converter,
  type ConverterOptions,
  createConverter,
} from '../../../src/documents/conversion/pool.ts';
import { prepareDocument } from '../../../src/documents/conversion/prepare.ts';
import { ConversionError } from '../../../src/documents/formats/converted.ts';
import { convertMarkdown } from '../../../src/documents/formats/markdown/convert.ts';
import { WEIGHT } from '../../../src/weight.ts';
import { handMade, p } from '../formats/docx/word.ts';
import { makePdf, onePage } from '../formats/pdf/pdf-file.ts';

const open: Converter[] = [];

function converter(options: ConverterOptions = {}): Converter {
  const made = createConverter(options);
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
const docx = (bytes: Uint8Array) => ({ name: 'a.docx', bytes, format: 'docx' as const, chunking });
const markdown = (text: string) => ({
  name: 'a.md',
  bytes: Buffer.from(text),
  format: 'markdown' as const,
  chunking,
});
const small = handMade(p('Hello'));
/** Some 12 MB of XML: far more than a small heap can hold, and slow enough for any deadline of milliseconds. */
const large = () => handMade(p('word').repeat(200_000));

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ConversionError ? error.code : error),
  );
}

describe('createConverter', () => {
  it('converts files one after another in a process that it keeps', async () => {
    const pool = converter();
    pool.warmUp();
    const [first, second, text] = await Promise.all([
      pool.convert(docx(small)),
      pool.convert(docx(handMade(p('World')))),
      pool.convert(markdown('# A')),
    ]);
    expect([first, second, text].map((one) => one.converted.markdown)).toEqual(['Hello\n', 'World\n', '# A']);
    expect(first.converted.fidelity.score).toBe(1);
  });

  it('answers with the document that cutting it here would give, however large', async () => {
    const text = Array.from(
      { length: 400 },
      (_, i) => `# Part ${i}\n\n${`word${i} and more. `.repeat(40)}`,
    ).join('\n\n');
    const stages: string[] = [];
    const prepared = await converter().convert(markdown(text), {
      onConverted: () => stages.push('converted'),
    });
    const converted = convertMarkdown(Buffer.from(text));
    expect(prepared).toEqual(await prepareDocument(converted, { name: 'a.md', chunking }));
    expect(prepared.document.leaves.length).toBeGreaterThan(200);
    expect(stages).toEqual(['converted']);
  });

  it('reads every format', async () => {
    const pool = converter();
    const formats = await Promise.all(
      (
        [
          ['pdf', onePage('Words of a page')],
          ['yaml', Buffer.from('a: 1')],
          ['json', Buffer.from('{"a": 1}')],
          ['text', Buffer.from('a')],
        ] as const
      ).map(async ([format, bytes]) => {
        const { converted, document } = await pool.convert({ name: `a.${format}`, bytes, format, chunking });
        return [converted.format, document.leaves.length];
      }),
    );
    expect(formats).toEqual([
      ['pdf', 1],
      ['yaml', 1],
      ['json', 1],
      ['text', 1],
    ]);
  });

  it('cuts what can be stored: offsets are into the text that it answers with', async () => {
    const { converted, document } = await converter().convert(markdown('a\0b \ud800'));
    const [leaf] = document.leaves;
    expect(converted.markdown).toBe('ab \ufffd');
    expect(leaf?.text).toBe(converted.markdown.slice(leaf?.charStart, leaf?.charEnd));
  });

  it('survives a stream that unpacks to more memory than is allowed', async () => {
    const pool = converter({ memoryMb: 300 });
    const bomb = makePdf([{ deflated: deflateSync(Buffer.alloc(600_000_000, 32), { level: 1 }) }]);
    const input = { name: 'a.pdf', bytes: bomb, format: 'pdf' as const, chunking };
    expect(await failure(pool.convert(input))).toBe('conversion_memory');
    expect((await pool.convert(markdown('a'))).converted.markdown).toBe('a');
  });

  it('passes on why a file cannot be converted, and goes on with the next', async () => {
    const pool = converter();
    expect(await failure(pool.convert(docx(Buffer.from('rubbish'))))).toBe('corrupt_file');
    expect((await pool.convert(docx(small))).converted.markdown).toBe('Hello\n');
  });

  it('stops a conversion that takes too long, and converts the next file in a new process', async () => {
    const impatient = converter({ timeoutMs: 5 });
    expect(await failure(impatient.convert(docx(large())))).toBe('conversion_timeout');
    expect(await failure(impatient.convert(docx(small)))).toBe('conversion_timeout');
  });

  it('survives a conversion that needs too much memory', async () => {
    // a small file takes some 45 MB here, where the process compiles its own modules; the large one takes over 190
    const pool = converter({ heapMb: 128 });
    expect(await failure(pool.convert(docx(large())))).toBe('conversion_memory');
    expect((await pool.convert(docx(small))).converted.markdown).toBe('Hello\n');
  });

  it('refuses more text than it may return', async () => {
    expect(await failure(converter({ maxOutputBytes: 3 }).convert(docx(small)))).toBe('output_too_large');
  });

  it('gives up at once when aborted, waiting or running', async () => {
    const pool = converter();
    const control = new AbortController();
    const running = failure(pool.convert(docx(large()), { signal: control.signal }));
    const waiting = failure(pool.convert(docx(small), { signal: control.signal }));
    const reason = new Error('not needed any more');
    control.abort(reason);
    expect(await running).toBe(reason);
    expect(await waiting).toBe(reason);
    expect(await failure(pool.convert(docx(small), { signal: control.signal }))).toBe(reason);
    expect((await pool.convert(docx(small))).converted.markdown).toBe('Hello\n');
  });

  it('rejects what is waiting when it is closed, and takes nothing more', async () => {
    const pool = converter();
    const waiting = failure(pool.convert(docx(small)));
    await pool.close();
    expect(String(await waiting)).toMatch(/closed/);
    expect(String(await failure(pool.convert(docx(small))))).toMatch(/closed/);
  });
});

describe('the lane of small files', () => {
  it('is free while a heavy file is converted', async () => {
    const pool = converter();
    const control = new AbortController();
    const heavy = failure(pool.convert(docx(large()), { signal: control.signal }));
    const note = await pool.convert(markdown('# A'), { weight: WEIGHT.note });
    expect(note.converted.markdown).toBe('# A');
    control.abort('no longer needed');
    expect(await heavy).toBe('no longer needed');
  });

  it('puts out what is heavier than it looks, to be tried as heavy, and is free again', async () => {
    const pool = converter({ heapMb: 64 });
    const outgrown = pool.convert(docx(large()), { weight: WEIGHT.small });
    await expect(outgrown).rejects.toMatchObject({ weight: WEIGHT.heavy, isPostponed: true });
    expect((await pool.convert(markdown('a'), { weight: WEIGHT.note })).converted.markdown).toBe('a');
  });
});
