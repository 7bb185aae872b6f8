import type { FastifyRequest } from 'fastify';
import { errorOfTurn, type SequencedEvent } from '../../services/turns/events.ts';
import { problemDocument } from './problems.ts';
import type { ServerEvent } from './sse.ts';

/** An event as it is sent: a failure is a problem document of this request, with the turn in it. */
export function turnServerEvent(event: SequencedEvent, request: FastifyRequest): ServerEvent {
  const { seq, type, data } = event;
  if (event.type !== 'turn.failed') return { id: seq, event: type, data };
  return {
    id: seq,
    event: type,
    data: { ...problemDocument(errorOfTurn(event.data), request), turn: event.data },
  };
}
