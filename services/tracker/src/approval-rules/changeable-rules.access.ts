import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { MergeRequest } from '../merge-requests/merge-requests.collection.ts';
import { mergeSettingsOf } from '../merge-requests/merge-settings.projection.ts';

const DEVELOPER = 30;

/**
 * Requires a caller who may change what a merge request needs: all who may change it may, unless its project fixes that.
 * @throws 403
 */
export async function requireChangeableRules(
  readStore: ReadStore,
  { projectId, authorId, assigneeIds, state }: MergeRequest,
  { project, caller }: Pick<ApiRequest, 'project' | 'caller'>,
): Promise<void> {
  const isOwn = caller.userId === authorId || assigneeIds.includes(caller.userId);
  if (!isOwn && project.level < DEVELOPER) throw new Rejection('forbidden', {});
  const { fixesApprovalRules } = await mergeSettingsOf(readStore, projectId);
  if (fixesApprovalRules || state === 'merged') throw new Rejection('forbidden', {});
}
