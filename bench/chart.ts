/** A line of a chart: a value for each step from 1. */
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

/** A line chart as SVG: linear axes from zero, a legend, nothing that has to be loaded. */
export function lineChart(chart: {
  title: string;
  xLabel: string;
  yLabel: string;
  series: readonly Series[];
}): string {
  const steps = Math.max(...chart.series.map(({ values }) => values.length));
  const step = stepOf(Math.max(...chart.series.flatMap(({ values }) => values)), 5);
  const top = step * Math.ceil(Math.max(...chart.series.flatMap(({ values }) => values)) / step);
  const x = (index: number): number => round(MARGIN.left + (index / Math.max(1, steps - 1)) * INNER.width);
  const y = (value: number): number => round(MARGIN.top + (1 - value / top) * INNER.height);
  const text = (at: [number, number], content: string, attributes = ''): string =>
    `<text x="${at[0]}" y="${at[1]}"${attributes}>${escaped(content)}</text>`;

  const grid = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step).flatMap((value) => [
    `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>`,
    text([MARGIN.left - 10, y(value) + 4], value.toLocaleString('en'), ' text-anchor="end"'),
  ]);
  const ticks = Array.from({ length: steps }, (_, index) => index)
    .filter((index) => index === 0 || (index + 1) % 5 === 0)
    .map((index) =>
      text([x(index), HEIGHT - MARGIN.bottom + 20], String(index + 1), ' text-anchor="middle"'),
    );
  const lines = chart.series.map(({ colour, values }) => {
    const points = values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2.5"/>`;
  });
  const legend = chart.series.flatMap(({ name, colour }, index) => {
    const left = MARGIN.left + index * 260;
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
