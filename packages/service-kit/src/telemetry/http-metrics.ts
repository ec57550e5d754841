import type { Counter, Histogram, Metrics } from './metrics.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Told each answer: which endpoint, its status, and how many milliseconds after the request it was out. */
export type RequestMeter = (endpoint: string, status: number, ms: number) => void;

/** Rate, errors and duration by endpoint. What is known of an endpoint is found with one look-up per request. */
export function createRequestMeter(metrics: Metrics): RequestMeter {
  const requests = metrics.counter({
    name: 'forgelog_http_requests_total',
    help: 'Answers by endpoint and status; 499 where the client went away before its answer was out.',
    labels: ['endpoint', 'status'],
  });
  const durations = metrics.histogram({
    name: 'forgelog_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by endpoint.',
    labels: ['endpoint'],
    buckets: BUCKETS,
  });
  const known = new Map<string, { duration: Histogram; statuses: Map<number, Counter> }>();
  return (endpoint, status, ms) => {
    let figures = known.get(endpoint);
    if (!figures) {
      figures = { duration: durations.of(endpoint), statuses: new Map() };
      known.set(endpoint, figures);
    }
    let count = figures.statuses.get(status);
    if (!count) {
      count = requests.of(endpoint, String(status));
      figures.statuses.set(status, count);
    }
    count.add();
    figures.duration.observe(ms / 1000);
  };
}
