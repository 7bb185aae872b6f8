import { join } from 'node:path';
import { loadKnowledge } from '../../src/knowledge/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import { checkInjection, type InjectionOutcome } from './check.ts';
import { loadInjections } from './load.ts';

/** Plants each injection, and says of each requirement for how many it holds. */
export async function runInjectionEval() {
  const knowledge = await loadKnowledge(join(packageRoot, 'knowledge'));
  const injections = loadInjections();
  const outcomes: InjectionOutcome[] = [];
  for (const injection of injections) outcomes.push(await checkInjection(injection, knowledge));
  const requirements = [...new Set(injections.flatMap(({ must }) => must))].map((requirement) => ({
    requirement,
    of: injections.filter(({ must }) => must.includes(requirement)).length,
    failed: outcomes.filter(({ failed }) => failed.includes(requirement)).map(({ id }) => id),
  }));
  return {
    injections: injections.length,
    refused: outcomes.filter(({ refused }) => refused).length,
    requirements,
  };
}

export type InjectionEval = Awaited<ReturnType<typeof runInjectionEval>>;

export const formatInjectionEval = ({ injections, refused, requirements }: InjectionEval): string =>
  [
    `injections: ${injections} planted, ${refused} refused at the upload`,
    ...requirements.map(
      ({ requirement, of, failed }) =>
        `  ${requirement.padEnd(20)} ${of - failed.length} of ${of}${failed.length > 0 ? `: not ${failed.join(', ')}` : ''}`,
    ),
  ].join('\n');
