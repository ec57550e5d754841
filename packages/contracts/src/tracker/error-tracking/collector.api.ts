import { z } from 'zod';
import { anyone, defineEndpoint } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './error-tracking.examples.json' with { type: 'json' };

/* What programs with an SDK of Sentry report their errors to. Its address and its key are those of the DSN. */

/** SDKs read no more than the status. Without an error in it, as with measurements, there is no id. */
export const collectedView = defineView(
  'CollectedError',
  { id: z.string().optional() },
  examples.CollectedError,
);

/** Bytes of a report, as sent and unpacked. */
export const MAX_REPORT_BYTES = 1024 * 1024;

const common = {
  service: 'tracker',
  access: anyone,
  spec: 'beyond the specification',
  method: 'POST',
  params: {
    project_id: described(required(int({ min: 1 })), 'Id of the project'),
    sentry_key: described(text({ max: 255 }), 'Public key, where the header X-Sentry-Auth is not sent'),
  },
  bodyTypes: ['application/x-sentry-envelope', 'text/plain'],
  headers: { 'X-Sentry-Rate-Limits': 'Of a refusal with 429: for how many seconds to send nothing' },
  response: collectedView,
} as const;

const path = '/error_tracking/collector/api/:project_id';

export const collectEnvelope = defineEndpoint({
  ...common,
  id: 'error-tracking-envelope',
  path: `${path}/envelope`,
  summary: 'Report an error as an SDK of Sentry does; other items of the envelope are dropped',
});

export const collectStored = defineEndpoint({
  ...common,
  id: 'error-tracking-store',
  path: `${path}/store`,
  summary: 'Report an error as older SDKs of Sentry do',
});

export const collectorEndpoints = [collectEnvelope, collectStored];
