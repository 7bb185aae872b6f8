import { createOriginals } from '../../src/services/originals/originals.ts';

/** Originals as they came: no key is set. */
export const plainOriginals = createOriginals({ active: null, keys: new Map() });
