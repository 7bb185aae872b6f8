import type { z } from 'zod';
import { fieldGuidance, type patternSchema, type probeSchema } from './front-matter-schemas.ts';

/** A probe as the large model reads it: everything but the signals, which only the offline router needs. */
export function renderProbe(probe: z.infer<typeof probeSchema>, body: string): string {
  return [
    `# Probe: ${probe.title}`,
    `Fires when: ${probe.fires_when}`,
    body,
    `## Questions to adapt\n\n${numbered(probe.questions)}`,
    `## Complete when\n\n${bulleted(probe.complete_when)}`,
    `## Skeleton fields\n\n${bulleted(fieldGuidance(probe).map(([field, good]) => `\`${field}\`: ${good}`))}`,
  ].join('\n\n');
}

/** A pattern as the large model reads it. */
export function renderPattern(pattern: z.infer<typeof patternSchema>, body: string): string {
  return [
    `# Pattern: ${pattern.title}`,
    `Fires when: ${pattern.fires_when}`,
    body,
    `## Ask next\n\n${numbered(pattern.questions)}`,
  ].join('\n\n');
}

function numbered(items: string[]): string {
  return items.map((item, index) => `${index + 1}. ${item}`).join('\n');
}

function bulleted(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
