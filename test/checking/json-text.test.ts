import { expect, it } from 'vitest';
import { findJsonFault, whyNotJson } from '../../src/checking/json-text.ts';

it.each([
  ['{"a":1,\n  "b": }', 'line 2, column 8: a value is expected'],
  ['{"a":1} x', 'line 1, column 9: this is no value of JSON; text stands in double quotes'],
  ["{'a':1}", 'line 1, column 2: this is no value of JSON; text stands in double quotes'],
  ['{"a":1,}', 'line 1, column 8: the name of a member in double quotes is expected'],
  ['[1,]', 'line 1, column 4: a value is expected'],
  ['[1 2]', 'line 1, column 4: a comma is expected'],
  ['{"a":1', 'line 1, column 7: a closing } is expected'],
  ['"a\nb"', 'line 1, column 1: the text has no closing double quote'],
  ['{"a":1 // why\n}', 'line 1, column 8: JSON has no comments'],
  ['1 2', 'line 1, column 3: the end is expected: there is one value, and nothing behind it'],
  [' \n', 'line 1, column 1: there is nothing in it'],
])('says where and how %j stops being JSON', (text, fault) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(whyNotJson(text)).toBe(fault);
});

it('finds nothing in what is JSON, or is nested deeper than it can go', () => {
  expect(findJsonFault('{"a":[1,2,{"b":null}]}')).toBeNull();
  expect(findJsonFault('['.repeat(500_000))).toBeNull();
});
