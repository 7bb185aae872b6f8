import type { FeedTrimmed, ProjectEvent } from '../../contract/project-event.ts';
import type { StoredProjectEvent } from '../../db/project-events.ts';
import { pathOf, type Scope, sourceOf } from '../../scope.ts';

/** The address of what an event is about. */
function addressOf(scope: Scope, { type, subject }: StoredProjectEvent): string {
  const place = pathOf(scope);
  const [what] = type.split('.');
  if (what === 'file') {
    const address = `${place}/files/${encodeURIComponent(String(subject.name))}`;
    return type === 'file.outlined' ? `${address}/outline` : address;
  }
  if (what === 'turn') return `${place}/turns/${subject.turn_number}`;
  if (what === 'run') return `${place}/research/${encodeURIComponent(String(subject.run_id))}`;
  return what === 'state' ? `${place}/state` : place;
}

/** The project of an event as it is shown; null: the library's. */
export const shownProject = (place: Pick<Scope, 'projectId'>): string | null =>
  sourceOf(place) === 'library' ? null : place.projectId;

/** An event as clients and webhooks get it. */
export const shownEvent = (scope: Scope, event: StoredProjectEvent): ProjectEvent =>
  ({
    object: 'event',
    id: event.seq,
    type: event.type,
    timestamp: event.at.toISOString(),
    project_id: shownProject(scope),
    data: event.subject,
    url: addressOf(scope, event),
  }) as ProjectEvent;

/** What a reader is told who has missed events, and goes on from a number. */
export const shownTrim = (scope: Scope, id: number): FeedTrimmed => ({
  object: 'event',
  id,
  type: 'feed.trimmed',
  project_id: shownProject(scope),
  url: pathOf(scope),
});
