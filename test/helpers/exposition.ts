/** What `/metrics` says, to be asked about. */
export interface Exposition {
  text: string;
  /** The metrics by name, with their type: also those that have no sample. */
  types: Map<string, string>;
  /** The first sample that has these labels, among others; undefined when there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

/** Reads the text format of Prometheus. */
export function readExposition(text: string): Exposition {
  const lines = text.split('\n');
  const types = new Map(
    lines.flatMap((line) => {
      const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      return name !== undefined && type !== undefined ? [[name, type] as const] : [];
    }),
  );
  const samples = lines.flatMap((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: `,${labels},`, value: Number(value) }];
  });
  return {
    text,
    types,
    value: (name, labels = {}) =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, is]) => sample.labels.includes(`,${label}="${is}",`)),
      )?.value,
  };
}
