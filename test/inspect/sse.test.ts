import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventParser } from '../../inspect/sse.js';

const STREAM =
  'retry: 2000\n\nid: 1\nevent: turn.created\ndata: {"a":1}\n\n: ping\n\nid: 2\r\nevent: answer.delta\r\ndata: Zürich 🙂\r\n\r\n' +
  'id: 3\revent: x\rdata:one\rdata: two\r\rdata: no name\n\n';
const EVENTS = [
  { id: '1', event: 'turn.created', data: '{"a":1}' },
  { id: '2', event: 'answer.delta', data: 'Zürich 🙂' },
  { id: '3', event: 'x', data: 'one\ntwo' },
  { id: '3', event: 'message', data: 'no name' },
];

it('reads events with any line break, and keeps the last number', () => {
  expect(createEventParser()(STREAM)).toEqual(EVENTS);
});

it('reads them whatever the pieces they come in', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: STREAM.length })), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      const parse = createEventParser();
      const read = at.slice(1).flatMap((end, index) => parse(STREAM.slice(at[index], end)));
      expect(read).toEqual(EVENTS);
    }),
  );
});

it('gives nothing of an event that is not whole', () => {
  expect(createEventParser()('id: 1\nevent: a\ndata: b\n')).toEqual([]);
});
