import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerUnlessRead } from '../allowed-methods.ts';
import type { Configuration } from '../configuration.ts';
import type { Metrics } from './metrics.ts';

export function serveMetrics({
  metrics,
  configuration,
}: {
  metrics: Metrics;
  configuration: Pick<Configuration, 'METRICS_TOKEN'>;
}) {
  const token = configuration.METRICS_TOKEN;
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    if (path !== '/-/metrics') return false;
    if (answerUnlessRead(request, response)) return true;
    if (token !== undefined && !equalInConstantTime(request.headers.authorization ?? '', `Bearer ${token}`)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="metrics"', 'Content-Length': 0 });
      response.end();
      return true;
    }
    void metrics.text().then((text) => {
      response.writeHead(200, {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Cache-Control': 'no-store',
      });
      response.end(text);
    });
    return true;
  };
}

function equalInConstantTime(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
