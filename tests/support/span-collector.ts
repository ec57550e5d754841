import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** A span as it came over the wire, in OTLP's JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** Which part of the system it is of. */
  component: string;
  /** `service.name` of the process that sent it. */
  service: unknown;
  /** All that its process says of itself. */
  resource: Record<string, unknown>;
  attributes: Record<string, unknown>;
  failed: boolean;
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean };
}
interface WireSpan extends Omit<ReceivedSpan, 'attributes' | 'failed' | 'resource'> {
  attributes: KeyValue[];
  status: { code: number };
}
interface Export {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { scope: { name: string }; spans: WireSpan[] }[];
  }[];
}

const valuesOf = (attributes: KeyValue[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );

/** What came beside spans, as it was sent. */
export interface ReceivedExport {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * What an OpenTelemetry collector is for a test: takes telemetry over HTTP and keeps it. `environment` leads the SDK to
 * it, with more settings of OpenTelemetry where a test gives some; the SDK reads them from this process's environment, so
 * they are there until the test ends.
 */
export async function startSpanCollector(settings: Record<string, string> = {}) {
  const spans: ReceivedSpan[] = [];
  const exports: ReceivedExport[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url: path = '', headers } = request;
    const body = Buffer.concat(chunks);
    exports.push({ path, headers, body });
    if (path === '/v1/traces' && headers['content-type'] === 'application/json') spans.push(...spansOf(body));
    response.writeHead(200, { 'Content-Type': headers['content-type'] });
    response.end(headers['content-type'] === 'application/json' ? '{}' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment: Record<string, string> = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...settings,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { environment, spans, exports };
}

function spansOf(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString()) as Export;
  return resourceSpans.flatMap(({ resource: { attributes: given }, scopeSpans }) => {
    const resource = valuesOf(given);
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ attributes, status, ...span }) => ({
        ...span,
        attributes: valuesOf(attributes),
        failed: status.code === 2,
        component: scope.name,
        service: resource['service.name'],
        resource,
      })),
    );
  });
}
