import type { DocxPart } from '../package/package.ts';

/** The links of one part: an address gets a relationship id, which the rewritten document refers to. */
export interface Links {
  /** The id for an address, or undefined for an address that must not become a link. */
  idOf(target: string): string | undefined;
  /** Where a relationship of the source points to. */
  targetOf(relationshipId: string | undefined): string | undefined;
  /** Every id with its address. */
  all(): ReadonlyMap<string, string>;
}

/** Addresses that run something, or carry data, instead of leading somewhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip control characters in front of a scheme
const UNSAFE = /^[\u0000-\u0020]*(javascript|vbscript|data):/i;

export function createLinks(relationships: DocxPart['relationships']): Links {
  const ids = new Map<string, string>();
  return {
    idOf(target) {
      const address = target.trim();
      if (address === '' || address === '#' || UNSAFE.test(address)) return undefined;
      const known = ids.get(address);
      if (known !== undefined) return known;
      const id = `link${ids.size + 1}`;
      ids.set(address, id);
      return id;
    },
    targetOf: (id) => {
      const found = id === undefined ? undefined : relationships.get(id);
      return found?.external || found?.type === 'hyperlink' ? found.target : undefined;
    },
    all: () => new Map([...ids].map(([address, id]) => [id, address])),
  };
}
