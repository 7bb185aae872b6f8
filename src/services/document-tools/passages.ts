import type { ParentText } from '../../db/parents.ts';
import type { Passage } from '../../retrieval/passage.ts';

/** A section that was read as it is, and not found by a search. */
export const passageOf = (parent: ParentText): Passage => ({
  parentId: parent.parent_id,
  text: parent.text,
  contextHeader: parent.breadcrumb,
  filename: parent.filename,
  mediaType: parent.media_type,
  version: parent.version,
  headerPath: parent.header_path,
  page: parent.page,
  score: 0,
  charStart: parent.char_start,
  charEnd: parent.char_end,
  tokens: parent.tokens,
  matchedLeaves: [],
  explain: null,
});
