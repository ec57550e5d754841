import type { AnyValue, LogRecord } from '@opentelemetry/api';

const SEVERITIES: Readonly<Record<number, { severityNumber: number; severityText: string }>> = {
  10: { severityNumber: 1, severityText: 'TRACE' },
  20: { severityNumber: 5, severityText: 'DEBUG' },
  30: { severityNumber: 9, severityText: 'INFO' },
  40: { severityNumber: 13, severityText: 'WARN' },
  50: { severityNumber: 17, severityText: 'ERROR' },
  60: { severityNumber: 21, severityText: 'FATAL' },
};

/** Log line of a failed export; exporting it too would fail forever. */
export const NOT_SENT = 'telemetry not sent';

export function createLogExport(): { write(line: string): void } {
  const loading = import('@opentelemetry/api');
  return {
    write(line) {
      const record = recordOf(line);
      if (record) void loading.then(({ logs }) => logs.getLogger('forgelog').emit(record));
    },
  };
}

function recordOf(line: string): LogRecord | null {
  const { level, time, msg, ...attributes } = JSON.parse(line) as {
    level: number;
    time: string;
    msg?: string;
  } & Record<string, AnyValue>;
  if (msg === NOT_SENT) return null;
  return { timestamp: new Date(time), ...SEVERITIES[level], body: msg, attributes };
}
