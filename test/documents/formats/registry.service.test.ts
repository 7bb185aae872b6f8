import { describe, expect, it, vi } from 'vitest';
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
const note = vi.hoisted(() => (name: string) => () => {
  loaded.push(name);
  return { default: {}, getDocumentProxy: undefined };
});
vi.mock('mammoth', note('mammoth'));
vi.mock('unpdf', note('unpdf'));
vi.mock('parse5', note('parse5'));

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

  it('loads the heavy readers only when they convert something', async () => {
    expect(textFormatOf('pdf').parse('text', [0]).sections(100)).toHaveLength(1);
    expect(loaded).toEqual([]);
    const limits = { maxOutputBytes: 1_000 };
    for (const name of ['docx', 'pdf', 'html'] as const) {
      await expect(formatOf(name).convert(Buffer.from('x'), limits)).rejects.toThrow();
    }
    expect(loaded.sort()).toEqual(['mammoth', 'parse5', 'unpdf']);
  });

  it('knows which documents have pages', () => {
    expect(PAGED_FORMATS).toEqual(['pdf']);
  });
});
