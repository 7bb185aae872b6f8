import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';

/** A document as its owner would upload it. */
export interface EvalDocument {
  name: string;
  bytes: Buffer;
}

const FOLDERS = {
  brightvane: join('demo', 'documents'),
  tern: join('eval', 'documents', 'tern'),
  workplace: join('eval', 'documents', 'workplace'),
  oncall: join('eval', 'documents', 'oncall'),
} as const;

/** A group of documents that stand in the repository. */
export type OwnProject = keyof typeof FOLDERS;
export const OWN_PROJECTS = Object.keys(FOLDERS) as OwnProject[];

/** The demo's upload that was cut off: it shows how a failed file looks, and nothing can be read from it. */
const BROKEN = 'budget-forecast.docx';

/** The documents of a project of the repository, by name. */
export function ownDocuments(project: OwnProject): EvalDocument[] {
  const folder = join(packageRoot, FOLDERS[project]);
  return readdirSync(folder)
    .filter((name) => name !== BROKEN)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}
