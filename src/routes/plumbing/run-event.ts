import type { FastifyRequest } from 'fastify';
import { errorOfRun, type SequencedRunEvent } from '../../services/research/events.ts';
import { problemDocument } from './problems.ts';
import type { ServerEvent } from './sse.ts';

/** An event as it is sent: a failure is a problem document of this request, with the run in it. */
export function runServerEvent(event: SequencedRunEvent, request: FastifyRequest): ServerEvent {
  const { seq, type, data } = event;
  if (event.type !== 'run.failed') return { id: seq, event: type, data };
  return {
    id: seq,
    event: type,
    data: { ...problemDocument(errorOfRun(event.data), request), run: event.data },
  };
}
