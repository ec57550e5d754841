import type { RequestBodies } from '../bodies/request-bodies.ts';
import type { Metrics } from './metrics.ts';

export function addBodyMetrics(metrics: Metrics, bodies: RequestBodies): void {
  metrics.gauge(
    {
      name: 'forgelog_request_body_bytes',
      help: 'Bytes of request bodies that arrive or are handled, by the place that holds them.',
      labels: ['place'],
    },
    () => Object.entries(bodies.held()).map(([place, bytes]) => [[place], bytes]),
  );
}
