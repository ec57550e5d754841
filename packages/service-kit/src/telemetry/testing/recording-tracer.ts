import type { Tracer } from '../tracing.ts';

export interface RecordedSpan {
  name: string;
  parent: string | undefined;
  ended: boolean;
  failed: boolean;
}

export function recordingTracer() {
  const spans: RecordedSpan[] = [];
  const tracer: Tracer = {
    start(name, { parent }) {
      const span: RecordedSpan = { name, parent, ended: false, failed: false };
      spans.push(span);
      return {
        traceparent: `00-${'a'.repeat(32)}-${String(spans.length).padStart(16, '0')}-01`,
        name: (given) => {
          span.name = given;
        },
        set: () => {},
        fail: () => {
          span.failed = true;
        },
        end: () => {
          span.ended = true;
        },
      };
    },
  };
  return { tracer, spans };
}
