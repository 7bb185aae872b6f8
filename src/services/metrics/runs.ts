import type { ResearchEvent } from '../../contract/research-event.ts';
import type { Scope } from '../../scope.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Live } from '../followed/kind.ts';
import type { LiveEvent } from '../turns/deps.ts';

const SECOND_MS = 1_000;

/** A sink of events that has each of them measured. */
export const measured =
  <I, E>(sink: (scope: Scope, id: I, event: E) => void, measure: (event: E) => void): typeof sink =>
  (scope, id, event) => {
    measure(event);
    sink(scope, id, event);
  };

/** Measures a turn by the event that ends it here. */
export function measureTurn({ runs, providers }: Metrics, event: LiveEvent): void {
  switch (event.type) {
    case 'turn.completed':
    case 'turn.failed':
    case 'turn.cancelled': {
      if (event.endedElsewhere) return;
      const { status, timings_ms: timings, routing } = event.data;
      runs.ended({ kind: 'turn', status, timings });
      if (timings?.retrieve !== undefined) runs.searched('turn', timings.retrieve / SECOND_MS);
      if (routing?.source === 'fallback') providers.fellBack('route');
    }
  }
}

/** The same of a research run. */
export function measureRun({ runs }: Metrics, event: Live<ResearchEvent>): void {
  switch (event.type) {
    case 'run.completed':
    case 'run.needs_clarification':
    case 'run.step_limit_reached':
    case 'run.failed':
    case 'run.cancelled':
      if (event.endedElsewhere) return;
      runs.ended({ kind: 'research', status: event.data.status, timings: event.data.timings_ms });
  }
}
