import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const [light = '', dark = ''] = readFileSync('inspect/palette.css', 'utf8').split(
  'prefers-color-scheme: dark',
);
const coloursOf = (css: string): Record<string, string> =>
  Object.fromEntries(
    [...css.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = '', other = ''): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

const TEXT = 4.5;
const GRAPHIC = 3;
const GROUPS = ['instructions', 'state', 'turns', 'documents', 'routing', 'message'];
const PAIRS: [string, string, number][] = [
  ...['ink', 'quiet', 'accent', 'good', 'bad'].flatMap((text): [string, string, number][] => [
    [text, 'page', TEXT],
    [text, 'card', TEXT],
  ]),
  ['ink', 'mark', TEXT],
  ['accent', 'mark', TEXT],
  ['ink', 'room', TEXT],
  ...GROUPS.flatMap((group): [string, string, number][] => [
    ['on-group', group, TEXT],
    [group, 'card', GRAPHIC],
    [group, 'room', GRAPHIC],
  ]),
];

describe.each([
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
])('the %s colours', (_, colours) => {
  it.each(PAIRS)('%s on %s can be told apart (WCAG AA)', (one, other, least) => {
    expect(contrast(colours[one], colours[other])).toBeGreaterThanOrEqual(least);
  });
});

it('both schemes have the same colours', () => {
  expect(Object.keys(coloursOf(dark))).toEqual(Object.keys(coloursOf(light)));
});
