import { z } from 'zod';

const camel = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * An event of a stream as an object of its fields, under a name of its own: `turn.created` is `TurnCreatedEvent`.
 *
 * @param happened what has happened, for the contract
 */
export const eventSchema = <Name extends string, Data extends z.ZodType>(
  event: Name,
  data: Data,
  happened: string,
) =>
  z
    .object({
      id: z.int().describe('The number of the event, for `Last-Event-ID`; it grows.'),
      event: z.literal(event).describe('What has happened.'),
      data: data.describe('What the event tells, as JSON.'),
    })
    .meta({ id: `${camel(event)}Event`, description: happened });
