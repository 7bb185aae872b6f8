import type { DocumentStructure } from '../../structure/parsed-document.ts';
import { sectionsOfMembers } from '../structured/sections.ts';
import { yamlMembers } from './members.ts';
import { yamlOutline } from './outline.ts';

/**
 * Sections and outline of a YAML text. Sections go by its indentation, which holds for templates too; the outline is
 * that of a parser, and by indentation only where no parser takes the text.
 */
export function yamlStructure(text: string): DocumentStructure {
  return {
    sections: (longestValue) => sectionsOfMembers(text, yamlMembers(text), longestValue),
    outline: (limits) => yamlOutline(text, limits),
  };
}
