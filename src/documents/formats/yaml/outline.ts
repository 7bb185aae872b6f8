import type { OutlineItems, OutlineLimits } from '../../structure/outline-item.ts';
import { outlineTree, treeOutline } from '../structured/outline.ts';
import { paragraphOutline } from '../text/outline.ts';
import { paragraphBlocks } from '../text/paragraphs.ts';
import { yamlMembers } from './members.ts';
import { membersOutline } from './members-outline.ts';
import { readYamlEvents } from './read-events.ts';
import { readYamlLines } from './read-lines.ts';

/** Above this size a text that is not plain YAML is read by its indentation: the parser's events take too much memory. */
const LONGEST_FOR_PARSER = 5_000_000;

/**
 * The outline of a YAML text by its keys: as our own quick reader finds them, else a whole parser, else the indentation,
 * and by its paragraphs when it has no keys.
 */
export function yamlOutline(text: string, limits: OutlineLimits): OutlineItems {
  const quick = outlineTree(limits);
  if (readYamlLines(text, quick)) return treeOutline(text, quick, limits, true);
  const tree = outlineTree(limits);
  if (text.length <= LONGEST_FOR_PARSER && readYamlEvents(text, tree)) {
    return treeOutline(text, tree, limits, true);
  }
  const outline = membersOutline(text, yamlMembers(text), limits);
  return outline.items.length > 0 ? outline : paragraphOutline(text, paragraphBlocks(text), limits.nodes);
}
