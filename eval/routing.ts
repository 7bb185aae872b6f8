import { routeByRules } from '../src/llm/offline/route.ts';
import { halfOf, loadMessages } from './routing/load.ts';
import type { LabelledMessage } from './routing/message.ts';

type Half = ReturnType<typeof halfOf>;

/** Of `requires_retrieval: true`. */
export interface RoutingFigures {
  messages: number;
  precision: number;
  recall: number;
}

export interface RoutingEval extends RoutingFigures {
  halves: Record<Half, RoutingFigures>;
  /** Figures of each language. */
  languages: Record<string, RoutingFigures>;
  /** Wrongly routed messages of the half that rules may be improved on. */
  mistakes: LabelledMessage[];
}

interface Routed {
  row: LabelledMessage;
  predicted: boolean;
}

function figuresOf(routed: readonly Routed[]): RoutingFigures {
  const predicted = routed.filter((one) => one.predicted);
  const hits = predicted.filter(({ row }) => row.requires_retrieval).length;
  const required = routed.filter(({ row }) => row.requires_retrieval).length;
  return { messages: routed.length, precision: hits / predicted.length, recall: hits / required };
}

/** How well the offline rules tell messages that call for retrieval from those that do not. */
export function runRoutingEval(): RoutingEval {
  const routed = loadMessages().map((row) => ({ row, predicted: predict(row.message) }));
  const inHalf = (half: Half) => routed.filter(({ row }) => halfOf(row) === half);
  const languages = [...new Set(routed.map(({ row }) => row.language))];
  return {
    ...figuresOf(routed),
    halves: { tuning: figuresOf(inHalf('tuning')), held_out: figuresOf(inHalf('held_out')) },
    languages: Object.fromEntries(
      languages.map((language) => [
        language,
        figuresOf(routed.filter(({ row }) => row.language === language)),
      ]),
    ),
    mistakes: inHalf('tuning')
      .filter(({ row, predicted }) => predicted !== row.requires_retrieval)
      .map(({ row }) => row),
  };
}

/** The result as a table for people. */
export function formatRoutingEval(result: RoutingEval): string {
  const line = (name: string, { messages, precision, recall }: RoutingFigures) =>
    `${name.padEnd(12)}${String(messages).padStart(9)}${precision.toFixed(3).padStart(11)}${recall.toFixed(3).padStart(9)}`;
  return [
    ...result.mistakes.map(
      ({ requires_retrieval, language, message }) =>
        `${requires_retrieval ? 'misses' : 'retrieves for nothing'} (${language}): ${message}`,
    ),
    'routing      messages  precision   recall',
    ...Object.entries(result.languages).map(([language, figures]) => line(language, figures)),
    line('tuning', result.halves.tuning),
    line('held out', result.halves.held_out),
    line('all', result),
  ].join('\n');
}

function predict(message: string): boolean {
  return routeByRules({
    task: 'route',
    message,
    activeMode: 'discovery',
    activeProbe: null,
    completedProbes: [],
    probes: [],
    patterns: [],
    filenames: [],
  }).requires_retrieval;
}
