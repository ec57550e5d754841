import type { Histogram, Metrics } from './metrics.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type RequestMeter = (endpoint: string, status: number, ms: number) => void;

/** Rate, errors and duration by endpoint, with one look-up per request. */
export function createRequestMeter(metrics: Metrics): RequestMeter {
  const durations = metrics.histogram({
    name: 'forgelog_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by endpoint.',
    labels: ['endpoint'],
    buckets: BUCKETS,
  });
  const known = new Map<string, { duration: Histogram; answers: Map<number, number> }>();
  // prom-client would look up a counter's labels on each increment.
  metrics.countedElsewhere(
    {
      name: 'forgelog_http_requests_total',
      help: 'Answers by endpoint and status; 499 where the client went away before its answer was out.',
      labels: ['endpoint', 'status'],
    },
    () =>
      [...known].flatMap(([endpoint, { answers }]) =>
        [...answers].map(([status, count]) => [[endpoint, String(status)], count] as const),
      ),
  );
  return (endpoint, status, ms) => {
    let figures = known.get(endpoint);
    if (!figures) {
      figures = { duration: durations.of(endpoint), answers: new Map() };
      known.set(endpoint, figures);
    }
    const { answers, duration } = figures;
    answers.set(status, (answers.get(status) ?? 0) + 1);
    duration.observe(ms / 1000);
  };
}
