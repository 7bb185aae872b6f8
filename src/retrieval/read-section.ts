import type { ParentText } from '../db/parents.ts';
import type { Source } from '../scope.ts';
import type { Passage } from './passage.ts';

/** A section that was read as it is, and not found by a search. */
export const passageOf = (parent: ParentText, source: Source): Passage => ({
  source,
  parent_id: parent.parent_id,
  text: parent.text,
  context_header: parent.breadcrumb,
  filename: parent.filename,
  media_type: parent.media_type,
  version: parent.version,
  header_path: parent.header_path,
  page: parent.page,
  score: 0,
  rank_score: 0,
  char_start: parent.char_start,
  char_end: parent.char_end,
  tokens: parent.tokens,
  matched_leaves: [],
  explain: null,
});
