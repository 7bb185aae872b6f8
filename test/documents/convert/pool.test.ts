import { afterEach, describe, expect, it } from 'vitest';
import { ConversionError } from '../../../src/documents/convert/converted.ts';
import {
  type Converter,
  type ConverterOptions,
  createConverter,
} from '../../../src/documents/convert/pool.ts';
import { handMade, p } from './word.ts';

const open: Converter[] = [];

function converter(options: ConverterOptions = {}): Converter {
  const made = createConverter(options);
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const docx = (bytes: Uint8Array) => ({ name: 'a.docx', bytes, format: 'docx' as const });
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
  it('converts Word files in a process of its own, and text at once', async () => {
    const pool = converter();
    const [first, second, text] = await Promise.all([
      pool.convert(docx(small)),
      pool.convert(docx(handMade(p('World')))),
      pool.convert({ name: 'a.md', bytes: Buffer.from('# A'), format: 'markdown' }),
    ]);
    expect([first.markdown, second.markdown, text.markdown]).toEqual(['Hello\n', 'World\n', '# A']);
    expect(first.fidelity.score).toBe(1);
  });

  it('passes on why a file cannot be converted, and goes on with the next', async () => {
    const pool = converter();
    expect(await failure(pool.convert(docx(Buffer.from('rubbish'))))).toBe('corrupt_file');
    expect((await pool.convert(docx(small))).markdown).toBe('Hello\n');
  });

  it('stops a conversion that takes too long, and converts the next file in a new process', async () => {
    const impatient = converter({ timeoutMs: 5 });
    expect(await failure(impatient.convert(docx(large())))).toBe('conversion_timeout');
    expect(await failure(impatient.convert(docx(small)))).toBe('conversion_timeout');
  });

  it('survives a conversion that needs too much memory', async () => {
    const pool = converter({ heapMb: 48 });
    expect(await failure(pool.convert(docx(large())))).toBe('conversion_memory');
    expect((await pool.convert(docx(small))).markdown).toBe('Hello\n');
  });

  it('refuses more text than it may return', async () => {
    expect(await failure(converter({ maxOutputBytes: 3 }).convert(docx(small)))).toBe('output_too_large');
  });

  it('gives up at once when aborted, waiting or running', async () => {
    const pool = converter();
    const control = new AbortController();
    const running = failure(pool.convert(docx(large()), control.signal));
    const waiting = failure(pool.convert(docx(small), control.signal));
    const reason = new Error('not needed any more');
    control.abort(reason);
    expect(await running).toBe(reason);
    expect(await waiting).toBe(reason);
    expect(await failure(pool.convert(docx(small), control.signal))).toBe(reason);
    expect((await pool.convert(docx(small))).markdown).toBe('Hello\n');
  });

  it('rejects what is waiting when it is closed, and takes nothing more', async () => {
    const pool = converter();
    const waiting = failure(pool.convert(docx(small)));
    await pool.close();
    expect(String(await waiting)).toMatch(/closed/);
    expect(String(await failure(pool.convert(docx(small))))).toMatch(/closed/);
  });
});
