import { z } from 'zod';

const listOf = (...known: readonly string[]) =>
  z
    .string()
    .refine((text) => text.split(',').every((each) => known.includes(each.trim())), {
      error: `must be one of ${known.join(', ')}, or several of them separated by commas`,
    })
    .optional();
const address = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .optional();
const protocol = z.enum(['grpc', 'http/protobuf', 'http/json']).optional();

/** The SDK reads these standard settings, and its other `OTEL_*` ones, itself. */
export const exporterSettings = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: protocol,
  OTEL_TRACES_EXPORTER: listOf('otlp', 'console', 'zipkin', 'none'),
  OTEL_METRICS_EXPORTER: listOf('otlp', 'console', 'prometheus', 'none'),
  OTEL_LOGS_EXPORTER: listOf('otlp', 'console', 'none'),
};

const schema = z.object(exporterSettings);
export type ExporterSettings = Partial<z.output<typeof schema>>;

export interface ExportedSignals {
  traces: boolean;
  metrics: boolean;
  logs: boolean;
}

/** An endpoint alone exports only traces: metrics and logs leave by other ways, so their export needs a setting. */
export function exportedSignals(settings: ExporterSettings): ExportedSignals {
  const isOn = settings.OTEL_SDK_DISABLED?.trim().toLowerCase() !== 'true';
  const exported = (exporters: string | undefined, endpoint: string | undefined) =>
    isOn && (exporters === undefined ? endpoint !== undefined : !exporters.split(',').includes('none'));
  return {
    traces: exported(
      settings.OTEL_TRACES_EXPORTER,
      settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ),
    metrics: exported(settings.OTEL_METRICS_EXPORTER, settings.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT),
    logs: exported(settings.OTEL_LOGS_EXPORTER, settings.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT),
  };
}
