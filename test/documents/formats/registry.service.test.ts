import { describe, expect, it, vi } from 'vitest';
import { ConversionError } from '../../../src/documents/formats/converted.ts';
import {
  ACCEPTED_TYPES,
  acceptedExtensions,
  formatOf,
  formatOfMediaType,
  PAGED_FORMATS,
  textFormatOf,
  UPLOAD_FORMATS,
} from '../../../src/documents/formats/registry.ts';

const loaded = vi.hoisted((): string[] => []);
const noted = vi.hoisted(() => (name: string) => async (original: () => Promise<object>) => {
  loaded.push(name);
  return original();
});
vi.mock('mammoth', noted('mammoth'));
vi.mock('unpdf', noted('unpdf'));
vi.mock('markdown-it', noted('markdown-it'));
vi.mock('js-yaml', noted('js-yaml'));
vi.mock('parse5', noted('parse5'));

describe('the registry of formats', () => {
  it('names every extension once, and no media type for two formats', () => {
    const extensions = ACCEPTED_TYPES.map(({ extension }) => extension);
    expect(new Set(extensions).size).toBe(extensions.length);
    for (const { extension, mediaType, format } of ACCEPTED_TYPES) {
      expect(extension).toMatch(/^\.[a-z0-9]+$/);
      expect(acceptedExtensions()).toContain(extension);
      expect(formatOfMediaType(mediaType)).toBe(format);
    }
    expect(formatOfMediaType('image/png')).toBeUndefined();
  });

  it('is complete: advice in whole sentences for each format', () => {
    for (const name of UPLOAD_FORMATS) expect(formatOf(name).repairAdvice).toMatch(/^[A-Z].*\.$/);
  });

  it('loads readers and parsers only when they are needed', async () => {
    expect(loaded).toEqual([]);
    await textFormatOf('markdown').loadParser();
    expect(loaded).toEqual(['markdown-it']);
    const limits = { maxOutputBytes: 1_000 };
    for (const name of ['docx', 'pdf', 'yaml', 'html'] as const) {
      await expect(formatOf(name).convert(Buffer.from(''), limits)).rejects.toThrow(ConversionError);
    }
    expect(loaded.sort()).toEqual(['js-yaml', 'mammoth', 'markdown-it', 'parse5', 'unpdf']);
  });

  it('knows which documents have pages', () => {
    expect(PAGED_FORMATS).toEqual(['pdf']);
  });
});
