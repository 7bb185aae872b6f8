import { z } from 'zod';
import { optional } from './schemas.ts';

const endpoint = optional(
  z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL, as http://localhost:4318' }),
);

/** The variables of OpenTelemetry that say whether anything is traced; its SDK reads these and the others by itself. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_SDK_DISABLED: optional(z.string()),
  OTEL_TRACES_EXPORTER: optional(z.string()),
};

type TracingSettings = z.infer<z.ZodObject<typeof tracingSettings>>;

/** Traces are exported when a collector is named, unless another variable says that they are not. */
export const resolveTracing = (settings: TracingSettings): { isTraced: boolean } => ({
  isTraced:
    (settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined &&
    settings.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
    (settings.OTEL_TRACES_EXPORTER ?? 'otlp').split(',').some((name) => name.trim() === 'otlp'),
});
