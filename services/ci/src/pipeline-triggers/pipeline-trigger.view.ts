import { pipelineTriggerView } from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { PipelineTriggerRow } from './pipeline-triggers.projection.ts';

/** `token` is what the caller may see of it. */
export const pipelineTriggerJson = implementView(pipelineTriggerView).from<
  PipelineTriggerRow & { token: string }
>({
  id: 'id',
  token: 'token',
  description: 'description',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_used: 'lastUsedAt',
  owner: user('ownerId'),
});
