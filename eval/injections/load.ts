import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Injection, injectionFileSchema } from './injection.ts';

/** The planted instructions, each with everything that must hold for it. */
export function loadInjections(): Injection[] {
  const source = readFileSync(new URL('./injections.yaml', import.meta.url), 'utf8');
  const { must, injections } = injectionFileSchema.parse(parse(source));
  return injections.map((injection) => ({
    ...injection,
    must: [
      ...must.always,
      ...(must.by_kind[injection.kind] ?? []),
      ...(must.by_where[injection.where] ?? []),
    ],
  }));
}
