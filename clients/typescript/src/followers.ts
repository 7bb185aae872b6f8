import { placeOf } from './place.ts';
import type { Sender } from './send.ts';
import { followToTheEnd, type StreamOptions } from './streams.ts';
import type { CallOptions, Schema } from './types.ts';

/** What is said in a turn. */
export type Message = NonNullable<CallOptions<'post', '/projects/{project_id}/turns'>['body']>;
/** What the research agent is asked. */
export type Question = NonNullable<CallOptions<'post', '/projects/{project_id}/research'>['body']>;

/** What goes on at the service for a while, as events to the last one. */
export function followers(sender: Sender) {
  return {
    /** A file and what is being done with it, until it is searchable, or has failed. */
    followFile: (project: string | null, name: string, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: null, events: `${placeOf(project)}/files/${encodeURIComponent(name)}/events` },
        stream,
      ) as AsyncGenerator<Schema<'FileEvent'>>,

    /** Says something, and gives the turn's events to its last one, whatever breaks in between. */
    turn: (project: string, message: Message, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: { path: `${placeOf(project)}/turns`, body: message }, events: null },
        stream,
      ) as AsyncGenerator<Schema<'TurnEvent'>>,

    /** The events of a turn that was begun before, those there are and those that come. */
    followTurn: (project: string, turn: number, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: null, events: `${placeOf(project)}/turns/${turn}/events` },
        stream,
      ) as AsyncGenerator<Schema<'TurnEvent'>>,

    /** Asks the research agent, and gives the run's events to its last one. */
    research: (project: string, question: Question, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: { path: `${placeOf(project)}/research`, body: question }, events: null },
        stream,
      ) as AsyncGenerator<Schema<'ResearchEvent'>>,

    /** The events of a run that was begun before. */
    followResearch: (project: string, run: string, stream: StreamOptions = {}) =>
      followToTheEnd(
        sender,
        { begin: null, events: `${placeOf(project)}/research/${encodeURIComponent(run)}/events` },
        stream,
      ) as AsyncGenerator<Schema<'ResearchEvent'>>,
  };
}
