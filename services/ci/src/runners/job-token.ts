import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createJobTokens, type JobTokens } from '@forgelog/service-kit/job-token.ts';

/** Tokens of jobs as all processes of the instance know them. */
export const jobTokens = ({ configuration }: Pick<ServicePorts, 'configuration'>): JobTokens =>
  createJobTokens(lazyInstanceKey(configuration));
