import { Counter, Gauge, type Registry } from 'prom-client';

/** A figure with what it is of. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/** A metric whose figures somebody else keeps. */
export interface FigureSource {
  name: string;
  help: string;
  labelNames?: string[];
  /** Asked at every scrape; where nothing is known there is no sample. */
  read(): Sample[] | Promise<Sample[]>;
}

/** Metrics that are read when somebody asks for them. */
export function createFigures(registry: Registry) {
  function add(
    Kind: typeof Counter | typeof Gauge,
    { name, help, labelNames = [], read }: FigureSource,
  ): void {
    new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await read();
        this.reset();
        // a metric without labels is 0 when it was reset: nothing is not 0
        if (samples.length === 0 && labelNames.length === 0) this.remove();
        for (const { labels = {}, value } of samples) this.inc(labels, value);
      },
    });
  }
  return {
    counter: (source: FigureSource) => add(Counter, source),
    gauge: (source: FigureSource) => add(Gauge, source),
  };
}

export type Figures = ReturnType<typeof createFigures>;
