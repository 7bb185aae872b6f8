/** A line of a chart: a value for each step. */
export interface Series {
  name: string;
  colour: string;
  values: readonly number[];
}

const WIDTH = 860;
const HEIGHT = 420;
const MARGIN = { top: 56, right: 24, bottom: 48, left: 72 };
const INNER = {
  width: WIDTH - MARGIN.left - MARGIN.right,
  height: HEIGHT - MARGIN.top - MARGIN.bottom,
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A round number that so many steps reach the top with. */
function stepOf(top: number, steps: number): number {
  const power = 10 ** Math.floor(Math.log10(top / steps));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step * steps >= top) ?? 10 * power;
}

/** Where values stand on an axis, from 0 to 1, and which of them it is marked with. */
interface Axis {
  place(value: number): number;
  marks: number[];
}

function linear(values: readonly number[]): Axis {
  const step = stepOf(Math.max(...values), 5);
  const top = step * Math.ceil(Math.max(...values) / step);
  return {
    place: (value) => value / top,
    marks: Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step),
  };
}

function powers(values: readonly number[], base: number): Axis {
  const power = (value: number): number => Math.log(value) / Math.log(base);
  const first = Math.floor(power(Math.min(...values)));
  const last = Math.ceil(power(Math.max(...values)));
  return {
    place: (value) => (power(value) - first) / (last - first),
    marks: Array.from({ length: last - first + 1 }, (_, i) => base ** (first + i)),
  };
}

/**
 * A line chart as SVG, with a legend and nothing that has to be loaded.
 *
 * @param chart.steps what the steps are called; left out: their numbers from 1, every fifth
 * @param chart.powersOf the axis of values goes by the powers of this number; left out: it is linear, from zero
 */
export function lineChart(chart: {
  title: string;
  xLabel: string;
  yLabel: string;
  series: readonly Series[];
  steps?: readonly string[];
  powersOf?: number;
}): string {
  const steps = Math.max(...chart.series.map(({ values }) => values.length));
  const values = chart.series.flatMap((series) => series.values);
  const axis = chart.powersOf === undefined ? linear(values) : powers(values, chart.powersOf);
  const x = (index: number): number => round(MARGIN.left + (index / Math.max(1, steps - 1)) * INNER.width);
  const y = (value: number): number => round(MARGIN.top + (1 - axis.place(value)) * INNER.height);
  const text = (at: [number, number], content: string, attributes = ''): string =>
    `<text x="${at[0]}" y="${at[1]}"${attributes}>${escaped(content)}</text>`;

  const grid = axis.marks.flatMap((value) => [
    `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>`,
    text([MARGIN.left - 10, y(value) + 4], value.toLocaleString('en'), ' text-anchor="end"'),
  ]);
  const ticks = Array.from({ length: steps }, (_, index) => index)
    .filter((index) => chart.steps || index === 0 || (index + 1) % 5 === 0)
    .map((index) => {
      const name = chart.steps?.[index] ?? String(index + 1);
      const anchor = chart.steps && index === steps - 1 ? 'end' : 'middle';
      return text([x(index), HEIGHT - MARGIN.bottom + 20], name, ` text-anchor="${anchor}"`);
    });
  const lines = chart.series.map(({ colour, values }) => {
    const points = values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2.5"/>`;
  });
  const legend = chart.series.flatMap(({ name, colour }, index) => {
    const left = MARGIN.left + (index * INNER.width) / chart.series.length;
    return [
      `<line x1="${left}" x2="${left + 24}" y1="40" y2="40" stroke="${colour}" stroke-width="2.5"/>`,
      text([left + 32, 44], name),
    ];
  });
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text([MARGIN.left, 22], chart.title, ' font-size="16" font-weight="bold"'),
    ...legend,
    ...grid,
    ...ticks,
    text([MARGIN.left + INNER.width / 2, HEIGHT - 8], chart.xLabel, ' text-anchor="middle"'),
    text(
      [18, MARGIN.top + INNER.height / 2],
      chart.yLabel,
      ` transform="rotate(-90 18 ${MARGIN.top + INNER.height / 2})" text-anchor="middle"`,
    ),
    ...lines,
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
