import type { DocumentFormat } from '../chunking/chunks.ts';
import type { DraftLimits, Drafts } from '../outline/outline-item.ts';
import { readJson } from './json/read-json.ts';
import { markdownDrafts } from './markdown/outline.ts';
import { DEEPEST, structureDrafts } from './structured/outline.ts';
import { type TreeBuilder, treeBuilder } from './structured/tree-builder.ts';
import { pageDrafts, paragraphDrafts } from './text/outline.ts';
import { yamlMembers } from './yaml/members.ts';
import { memberDrafts } from './yaml/members-outline.ts';
import { readYamlEvents } from './yaml/read-events.ts';
import { readYamlLines } from './yaml/read-lines.ts';

/** Above this size a text that is not plain YAML is read by its indentation: the parser's events take too much memory. */
const LONGEST_FOR_PARSER = 5_000_000;

/** The nodes of a document by its format; of what is not what its format says, its paragraphs. */
export function draftNodes(
  text: string,
  format: DocumentFormat,
  pageStarts: readonly number[],
  limits: DraftLimits,
): Drafts {
  switch (format) {
    case 'markdown':
      return markdownDrafts(text, limits);
    case 'json':
      return jsonDrafts(text, limits);
    case 'yaml':
      return yamlDrafts(text, limits);
    default:
      return pageStarts.length > 0
        ? pageDrafts(text, pageStarts, limits.nodes)
        : paragraphDrafts(text, limits.nodes);
  }
}

function jsonDrafts(text: string, limits: DraftLimits): Drafts {
  const tree = newTree(limits);
  const isSound = readJson(text, tree);
  const hasStructure = tree.documents.some(({ inside }) => inside);
  if (!isSound && !hasStructure) return paragraphDrafts(text, limits.nodes);
  return treeDrafts(text, tree, limits, false);
}

function yamlDrafts(text: string, limits: DraftLimits): Drafts {
  const quick = newTree(limits);
  if (readYamlLines(text, quick)) return treeDrafts(text, quick, limits, true);
  const tree = newTree(limits);
  if (text.length <= LONGEST_FOR_PARSER && readYamlEvents(text, tree))
    return treeDrafts(text, tree, limits, true);
  const drafts = memberDrafts(text, yamlMembers(text), limits);
  return drafts.drafts.length > 0 ? drafts : paragraphDrafts(text, limits.nodes);
}

const newTree = ({ levels, nodes }: DraftLimits): TreeBuilder =>
  // one node more than can be kept, so that a level that is too large is known to be
  treeBuilder({ levels: Math.min(levels, DEEPEST), most: nodes + 1 });

function treeDrafts(text: string, tree: TreeBuilder, limits: DraftLimits, hasComments: boolean): Drafts {
  const { drafts, truncated } = structureDrafts(text, tree.documents, limits, hasComments);
  return { drafts, truncated: truncated || tree.isCut() };
}
