import { createSectionFinder, type FindSectionsDeps } from './find-sections.ts';
import { createOutlineReader } from './outlines.ts';
import { createPointerReader } from './pointers.ts';

/** The use cases of walking a document: its outline, its sections, what a pointer names. */
export function createOutlineService(deps: FindSectionsDeps) {
  return { ...createOutlineReader(deps), ...createSectionFinder(deps), ...createPointerReader(deps) };
}

export type OutlineService = ReturnType<typeof createOutlineService>;
