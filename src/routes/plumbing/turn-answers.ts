import type { TurnEvent } from '../../contract/turn-event.ts';
import type { Services } from '../../services/services.ts';
import { errorOfTurn } from '../../services/turns/events.ts';
import { createFollowedAnswers } from './followed.ts';

/** How turns are answered. */
export const turnAnswers = ({ turnEvents: events }: Pick<Services, 'turnEvents'>) =>
  createFollowedAnswers({
    member: 'turn',
    failureIn: (event: TurnEvent) => (event.type === 'turn.failed' ? errorOfTurn(event.data) : null),
    events,
  });
