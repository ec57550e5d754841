import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

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
  attributes: Record<string, unknown>;
  failed: boolean;
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean };
}
interface WireSpan extends Omit<ReceivedSpan, 'attributes' | 'failed'> {
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

/** What an OpenTelemetry collector is for a test: takes spans over HTTP and keeps them. */
export async function startSpanCollector() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/v1/traces') {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Export;
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = valuesOf(resource.attributes)['service.name'];
        for (const { scope, spans: sent } of scopeSpans) {
          for (const { attributes, status, ...span } of sent)
            spans.push({
              ...span,
              attributes: valuesOf(attributes),
              failed: status.code === 2,
              component: scope.name,
              service,
            });
        }
      }
    }
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, spans };
}
