import type { Section } from '../chunking/chunks.ts';
import type { Block } from './blocks.ts';

/** A section with what it is made of. */
export interface FilledSection {
  section: Section;
  blocks: Block[];
  /** There is something in it besides its heading. */
  hasBody: boolean;
}
