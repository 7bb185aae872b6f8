import type { ProjectState } from '../../contract/state.ts';
import { summaryCauses } from '../../state/staleness.ts';
import { countTokens } from '../../text/tokens.ts';
import { clipTokens, oneLine } from '../clip.ts';
import { asData, closeTag, openTag } from '../delimit.ts';
import type { Item, Section } from './section.ts';

const LINE_TOKENS = 60;

/** The organisation, and one line for each file: what there is to draw on. */
export function contextBlock(
  projectName: string,
  state: ProjectState,
  wantedFiles: readonly string[],
): Section {
  const items: Item[] = [];
  if (state.org_context.trim() !== '') {
    const text = `${openTag('organisation')}\n${asData(state.org_context.trim())}\n${closeTag('organisation')}\n`;
    items.push({
      kind: 'organisation',
      id: 'org_context',
      value: 0,
      full: { text, tokens: countTokens(text) },
    });
  }
  const wanted = new Set(wantedFiles);
  for (const [index, file] of state.file_summaries.entries()) {
    const stale = summaryCauses(file);
    // the mark stands at the end: a long summary is cut before it
    const mark = stale.length === 0 ? '' : ` [STALE: summary of version ${file.summary_version}]`;
    const text = `${fileLine(file)}${mark}\n`;
    items.push({
      kind: 'file',
      id: file.filename,
      // newer files before older ones, those that this turn is about before all others
      value: index + (wanted.has(file.filename) ? state.file_summaries.length : 0),
      full: { text, tokens: countTokens(text) },
      ...(stale.length > 0 && { details: { stale } }),
    });
  }
  return {
    name: 'context_block',
    always: true,
    open:
      `${openTag('project_context', { project: clipTokens(projectName, LINE_TOKENS) })}\n` +
      (state.file_summaries.length === 0 ? 'No files have been uploaded.\n' : 'Files and what they hold:\n'),
    close: `${closeTag('project_context')}\n`,
    items,
  };
}

/** A file in one line of bounded length. */
export function fileLine(file: { filename: string; summary: string }, tokens = LINE_TOKENS): string {
  const summary = file.summary === '' ? '' : `: ${oneLine(file.summary)}`;
  return `- ${clipTokens(asData(`${oneLine(file.filename)}${summary}`), tokens)}`;
}
