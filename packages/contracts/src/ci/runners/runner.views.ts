import { z } from 'zod';
import { datetimeView, defineView } from '../../views.ts';
import examples from './runner.examples.json' with { type: 'json' };

export const runnerType = z.enum(['instance_type', 'group_type', 'project_type']);
export const RUNNER_STATUSES = ['online', 'offline', 'not_connected', 'paused'] as const;

/** Runner [companions 3]. */
export const runnerView = defineView(
  'Runner',
  {
    id: z.int(),
    description: z.string(),
    ip_address: z.string().nullable(),
    active: z.boolean(),
    paused: z.boolean(),
    is_shared: z.boolean(),
    runner_type: runnerType,
    name: z.string().nullable(),
    online: z.boolean().nullable(),
    status: z.enum(RUNNER_STATUSES),
  },
  examples.Runner,
);

const runnerProjectView = defineView('RunnerProject', {
  id: z.int(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
});

const runnerGroupView = defineView('RunnerGroup', { id: z.int(), web_url: z.string(), name: z.string() });

/** Runner by itself; of its projects and groups those that the caller sees. */
export const runnerDetailView = defineView(
  'RunnerDetails',
  {
    ...runnerView.shape,
    tag_list: z.array(z.string()),
    run_untagged: z.boolean(),
    locked: z.boolean(),
    maximum_timeout: z.int().nullable(),
    access_level: z.enum(['not_protected', 'ref_protected']),
    version: z.string().nullable(),
    revision: z.string().nullable(),
    platform: z.string().nullable(),
    architecture: z.string().nullable(),
    contacted_at: datetimeView.nullable(),
    projects: z.array(runnerProjectView),
    groups: z.array(runnerGroupView),
  },
  examples.RunnerDetails,
);

export const registeredRunnerView = defineView(
  'RegisteredRunner',
  { id: z.int(), token: z.string(), token_expires_at: z.null() },
  examples.RegisteredRunner,
);

export const registrationTokenView = defineView(
  'RunnersToken',
  { token: z.string(), token_expires_at: z.null() },
  examples.RunnersToken,
);
