import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { check, parameterName } from '../checking/check.ts';
import type { Mode } from '../contract/state.ts';
import { countTokens } from '../text/tokens.ts';
import type { CoreInstructions, Knowledge, Pattern, Probe } from './entry.ts';
import { splitFrontMatter } from './front-matter.ts';
import { fieldGuidance, patternSchema, probeSchema, titleSchema } from './front-matter-schemas.ts';
import { PATTERN_KEYS_BY_MODE, PROBE_KEYS_BY_MODE } from './keys.ts';
import { renderPattern, renderProbe } from './render.ts';

/**
 * Reads the knowledge folder: `<mode>/core.md`, `<mode>/probes/<NN>-<key>.md`, `<mode>/patterns/<NN>-<key>.md` and
 * `evaluation/risks.md`, each Markdown with YAML front matter. The result is frozen to its depth.
 *
 * @throws Error that names the file, when an entry is missing, malformed, or not one of those that the product has.
 */
export async function loadKnowledge(directory: string): Promise<Knowledge> {
  const [discovery, evaluation, risks] = await Promise.all([
    loadMode(directory, 'discovery'),
    loadMode(directory, 'evaluation'),
    readEntry(join(directory, 'evaluation', 'risks.md'), titleSchema),
  ]);
  return deepFreeze({
    core: { discovery: discovery.core, evaluation: evaluation.core },
    probes: { discovery: discovery.probes, evaluation: evaluation.probes },
    patterns: { discovery: discovery.patterns, evaluation: evaluation.patterns },
    risks: { title: risks.data.title, body: risks.body, tokens: countTokens(risks.body) },
  });
}

async function loadMode(
  directory: string,
  mode: Mode,
): Promise<{ core: CoreInstructions; probes: Probe[]; patterns: Pattern[] }> {
  const root = join(directory, mode);
  const [core, probes, patterns] = await Promise.all([
    readEntry(join(root, 'core.md'), titleSchema),
    readEntries(join(root, 'probes'), PROBE_KEYS_BY_MODE[mode], probeSchema),
    readEntries(join(root, 'patterns'), PATTERN_KEYS_BY_MODE[mode], patternSchema),
  ]);
  return {
    core: { mode, title: core.data.title, body: core.body, tokens: countTokens(core.body) },
    probes: probes.map(({ data, body }) => toProbe(mode, data, body)),
    patterns: patterns.map(({ data, body }) => toPattern(mode, data, body)),
  };
}

function toProbe(mode: Mode, data: z.infer<typeof probeSchema>, prose: string): Probe {
  const body = renderProbe(data, prose);
  return {
    ...shared(mode, data),
    complete_when: data.complete_when,
    fields: fieldGuidance(data).map(([field]) => field),
    body,
    tokens: countTokens(body),
  };
}

function toPattern(mode: Mode, data: z.infer<typeof patternSchema>, prose: string): Pattern {
  const body = renderPattern(data, prose);
  return { ...shared(mode, data), body, tokens: countTokens(body) };
}

function shared(mode: Mode, data: z.infer<typeof patternSchema>): Omit<Pattern, 'body' | 'tokens'> {
  const { key, number, title, fires_when, signals, questions } = data;
  return { key, number, mode, title, fires_when, signals, questions };
}

interface Entry<T> {
  data: T;
  body: string;
}

/** The entries of one folder in their order; neither one fewer nor one more than `keys`. */
async function readEntries<T extends { key: string; number: number }>(
  folder: string,
  keys: readonly string[],
  schema: z.ZodType<T>,
): Promise<Entry<T>[]> {
  const names = keys.map((key, index) => `${String(index + 1).padStart(2, '0')}-${key}.md`);
  await refuseUnknown(folder, names);
  return Promise.all(
    names.map(async (name, index) => {
      const path = join(folder, name);
      const entry = await readEntry(path, schema);
      if (entry.data.key !== keys[index]) throw entryError(path, `key must be "${keys[index]}"`);
      if (entry.data.number !== index + 1) throw entryError(path, `number must be ${index + 1}`);
      return entry;
    }),
  );
}

async function refuseUnknown(folder: string, expected: string[]): Promise<void> {
  // A folder that is not there is reported by the first entry that cannot be read, with the file's name.
  const present = await readdir(folder).catch(() => []);
  const unknown = present.find((name) => name.endsWith('.md') && !expected.includes(name));
  if (unknown !== undefined)
    throw entryError(join(folder, unknown), 'it is not an entry that the product has');
}

async function readEntry<T>(path: string, schema: z.ZodType<T>): Promise<Entry<T>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw entryError(path, 'it is missing or cannot be read', cause);
  });
  const { data, body } = split(path, text);
  const checked = check(schema, data, parameterName);
  if (!checked.ok) {
    const problems = checked.errors.map(
      ({ pointer, detail }) => `${pointer || 'its front matter'} ${detail}`,
    );
    throw entryError(path, problems.join('; '), checked.cause);
  }
  if (body === '') throw entryError(path, 'it has no text after its front matter');
  return { data: checked.value, body };
}

function split(path: string, text: string): Entry<unknown> {
  try {
    return splitFrontMatter(text);
  } catch (cause) {
    throw entryError(path, cause instanceof Error ? cause.message : 'its front matter cannot be read', cause);
  }
}

function entryError(path: string, problem: string, cause?: unknown): Error {
  return new Error(`Knowledge entry ${path}: ${problem}`, { cause });
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
