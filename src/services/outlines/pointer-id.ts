/**
 * What a pointer names: a section of a file's outline, or a chunk (a leaf) of it with the section that it stands in. The
 * name may hold any character but a line end and a slash, colons included: the ids around it hold none.
 */
export type PointerTarget =
  | { kind: 'outline'; filename: string; nodeId: string }
  | { kind: 'chunk'; filename: string; nodeId: string | null; leafId: string };

const NODE = '[0-9a-f]{8}-[0-9a-f]{8}';
const OUTLINE = new RegExp(`^outline:(.+):(${NODE})$`, 's');
const CHUNK = new RegExp(`^chunk:(.+):(${NODE}|-):(leaf_[0-9a-f]{24})$`, 's');

/** The id of a pointer to a section: `outline:{file}:{node}`. */
export const outlinePointer = (filename: string, nodeId: string): string => `outline:${filename}:${nodeId}`;

/** The id of a pointer to a chunk: `chunk:{file}:{node}:{leaf}`, `-` where it stands in no section. */
export const chunkPointer = (filename: string, nodeId: string | null, leafId: string): string =>
  `chunk:${filename}:${nodeId ?? '-'}:${leafId}`;

/** Names one version of one file in answers about its sections. */
export const versionId = (fileId: string, version: number): string => `${fileId}:${version}`;

/** What the id of a pointer names, or null when it is not one. */
export function parsePointer(id: string): PointerTarget | null {
  const [, outlined, node] = OUTLINE.exec(id) ?? [];
  if (outlined && node) return { kind: 'outline', filename: outlined, nodeId: node };
  const [, filename, section, leafId] = CHUNK.exec(id) ?? [];
  if (!filename || !section || !leafId) return null;
  return { kind: 'chunk', filename, nodeId: section === '-' ? null : section, leafId };
}
