import { expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from '../configuration.ts';
import { exportedSignals } from './exporters.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';

test.each([
  [{}, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT }, ['traces']],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/v1/traces' }, ['traces']],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://metrics:4318/v1/metrics' }, ['metrics']],
  [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://logs:4318/v1/logs' }, ['logs']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, []],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: 'otlp, console' },
    ['traces', 'metrics', 'logs'],
  ],
  [{ OTEL_TRACES_EXPORTER: 'console' }, ['traces']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: '' }, []],
])('%o exports %j', (environment, signals) => {
  const exported = Object.entries(exportedSignals(readConfiguration(environment)));
  expect(exported.filter(([, is]) => is).map(([signal]) => signal)).toEqual(signals);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT: must be an address/],
  [{ OTEL_TRACES_EXPORTER: 'jaeger' }, /OTEL_TRACES_EXPORTER: must be one of otlp, console, zipkin, none/],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http' }, /OTEL_EXPORTER_OTLP_PROTOCOL/],
])('%o is told before anything starts', (environment, message) => {
  expect(() => readConfiguration(environment)).toThrow(ConfigurationError);
  expect(() => readConfiguration(environment)).toThrow(message);
});
