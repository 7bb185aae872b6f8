import { z } from 'zod';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

const file = z.object({
  name: z.string().describe('The name of the file.'),
  version: z.int().describe('The version that it is about, from 1.'),
});
const turn = z.object({ turn_number: z.int().describe('The number of the turn.') });
const run = z.object({ run_id: z.string().describe('The id of the research run.') });
const project = z.object({});

const camel = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const noticeSchema = <Type extends string, Subject extends z.ZodType>(
  type: Type,
  subject: Subject,
  happened: string,
) =>
  z
    .object({
      object: kind('event'),
      id: z.int().describe('Its number: it grows from event to event of a project, with gaps.'),
      type: z.literal(type).describe('What has happened.'),
      timestamp: timeSchema.describe('When it was committed; RFC 3339, UTC.'),
      project_id: z.string().nullable().describe('The project; null: the library.'),
      data: subject.describe('What it is about, by its names and numbers.'),
      url: z.string().describe('The address of what it is about.'),
    })
    .meta({ id: `${camel(type)}Notice`, description: happened });

/** What has changed in a project: names and numbers, nothing of any content. */
export const projectEventSchema = z
  .discriminatedUnion('type', [
    noticeSchema('project.created', project, 'The project was made, or its import has ended.'),
    noticeSchema('project.renamed', project, 'The project has another name.'),
    noticeSchema('project.deleted', project, 'The project was deleted, with all it had told.'),
    noticeSchema(
      'state.changed',
      z.object({ version: z.int().describe('The version of the state, as in its `ETag`.') }),
      'The state has changed, and with it the artifacts that are rendered from it.',
    ),
    noticeSchema('file.created', file, 'A file was uploaded under a name that there was not.'),
    noticeSchema('file.version_created', file, 'A file was uploaded again: it has a newer version.'),
    noticeSchema(
      'file.renamed',
      file.extend({ previous_name: z.string().describe('The name that it had.') }),
      'A file has another name.',
    ),
    noticeSchema('file.queued', file, 'The ingestion of a file is to begin.'),
    noticeSchema('file.started', file, 'The ingestion of a file has begun.'),
    noticeSchema('file.outlined', file, 'The outline of a file has changed, and with it pointers into it.'),
    noticeSchema('file.searchable', file, 'Search finds this version of a file.'),
    noticeSchema('file.summarized', file, 'A file has a summary of this version.'),
    noticeSchema('file.completed', file, 'The ingestion of a file has ended: it is searchable.'),
    noticeSchema('file.failed', file, 'The ingestion of a file has ended: the file says why.'),
    noticeSchema('file.deleted', file, 'A file was deleted.'),
    noticeSchema('turn.started', turn, 'A turn was begun, or is made once more.'),
    noticeSchema('turn.completed', turn, 'A turn has its reply.'),
    noticeSchema('turn.failed', turn, 'A turn has ended without a reply.'),
    noticeSchema('turn.cancelled', turn, 'A turn was cancelled.'),
    noticeSchema('turn.imported', turn, 'A turn came with a conversation that was held elsewhere.'),
    noticeSchema('run.started', run, 'A research run was begun, or is made once more.'),
    noticeSchema('run.completed', run, 'A research run has its answer.'),
    noticeSchema('run.needs_clarification', run, 'A research run has ended with a choice of files.'),
    noticeSchema('run.step_limit_reached', run, 'A research run has ended with its steps used up.'),
    noticeSchema('run.failed', run, 'A research run has ended without an answer.'),
    noticeSchema('run.cancelled', run, 'A research run was cancelled.'),
  ])
  .meta({
    id: 'ProjectEvent',
    description:
      'Something that has changed in a project or in the library: what it is about and where to read it, nothing of its content. The same object is a line of the feed, the `data` of a server-sent event, and the body of a webhook.',
  });
export type ProjectEvent = z.infer<typeof projectEventSchema>;
export type ProjectEventType = ProjectEvent['type'];

export const PROJECT_EVENT_TYPES = projectEventSchema.options.map(
  (option) => option.shape.type.value,
) as ProjectEventType[];

/** What only a stream of the feed tells: part of what its client asked for is gone. */
const feedTrimmedSchema = z
  .object({
    object: kind('event'),
    id: z.int().describe('The number that the stream goes on from.'),
    type: z.literal('feed.trimmed').describe('What has happened.'),
    project_id: z.string().nullable().describe('The project; null: the library.'),
    url: z.string().describe('The address of the project, or of the library.'),
  })
  .meta({
    id: 'FeedTrimmedNotice',
    description:
      'Events that followed the number that was asked for are not kept any more (`RETENTION_FEED_DAYS`): read anew what you follow. The events that are kept come next.',
  });
export type FeedTrimmed = z.infer<typeof feedTrimmedSchema>;

/** An event of the stream of a feed. */
export const streamedEventSchema = z
  .discriminatedUnion('type', [...projectEventSchema.options, feedTrimmedSchema])
  .meta({ id: 'StreamedProjectEvent', description: 'What a stream of the feed tells.' });

/** A stretch of the feed. */
export const projectEventListSchema = z
  .object({
    object: kind('list'),
    data: z.array(projectEventSchema).describe('The events, oldest first.'),
    has_more: z.boolean().describe('There are more by now.'),
    is_trimmed: z
      .boolean()
      .describe(
        'Events that followed `after` are not kept any more (`RETENTION_FEED_DAYS`): read anew what you follow.',
      ),
    last_id: z
      .int()
      .describe(
        'The number of the last event that you have now: send it as `after`, also where there was none.',
      ),
  })
  .meta({ id: 'ProjectEventList', description: 'Events of a project, oldest first.' });
export type ProjectEventList = z.infer<typeof projectEventListSchema>;
