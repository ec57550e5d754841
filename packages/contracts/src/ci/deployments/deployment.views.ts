import { z } from 'zod';
import { datetimeView, defineView, userView } from '../../views.ts';
import { environmentView } from '../environments/environment.views.ts';
import { jobView } from '../jobs/job.views.ts';
import { DEPLOYMENT_STATUSES } from './deployment.events.ts';
import examples from './deployment.examples.json' with { type: 'json' };

const shape = {
  id: z.int(),
  iid: z.int(),
  ref: z.string(),
  sha: z.string(),
  created_at: datetimeView,
  status: z.enum(DEPLOYMENT_STATUSES),
  user: userView.nullable(),
  /** Null for deployments from outside, and for jobs that are deleted. */
  deployable: jobView.nullable(),
};

/** Deployment [companions 3]. */
export const deploymentView = defineView(
  'Deployment',
  { ...shape, updated_at: datetimeView, environment: environmentView },
  examples.Deployment,
);

/** The newest successful deployment, in the view of its environment [L87]. */
export const lastDeploymentView = defineView('LastDeployment', shape, examples.LastDeployment);
