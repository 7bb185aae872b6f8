import type { DocumentStructure } from '../../structure/parsed-document.ts';
import { sectionsOfMembers } from '../structured/sections.ts';
import { jsonMembers } from './members.ts';
import { jsonOutline } from './outline.ts';

/**
 * Sections and outline of a JSON text. Sections need only the outer members, which a scan for brackets finds; the
 * outline reads every value.
 */
export function jsonStructure(text: string): DocumentStructure {
  return {
    sections: (longestValue) => sectionsOfMembers(text, jsonMembers(text), longestValue),
    outline: (limits) => jsonOutline(text, limits),
  };
}
