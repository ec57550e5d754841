import type { MergeRequestFacts, ServerFacts } from './facts.ts';

export function mergeRequestVariables(
  { url }: ServerFacts,
  { source, target, ...request }: MergeRequestFacts,
) {
  return {
    CI_MERGE_REQUEST_ID: request.id,
    CI_MERGE_REQUEST_IID: request.iid,
    CI_MERGE_REQUEST_TITLE: request.title,
    CI_MERGE_REQUEST_EVENT_TYPE: request.eventType,
    CI_MERGE_REQUEST_APPROVED: request.isApproved ? 'true' : null,
    CI_MERGE_REQUEST_ASSIGNEES: request.assignees.join(', ') || null,
    CI_MERGE_REQUEST_LABELS: request.labels.join(',') || null,
    CI_MERGE_REQUEST_MILESTONE: request.milestone,
    CI_MERGE_REQUEST_REF_PATH: request.refPath,
    CI_MERGE_REQUEST_PROJECT_ID: target.project.id,
    CI_MERGE_REQUEST_PROJECT_PATH: target.project.fullPath,
    CI_MERGE_REQUEST_PROJECT_URL: `${url}/${target.project.fullPath}`,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: target.branch,
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target.sha,
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source.project.id,
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source.project.fullPath,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: `${url}/${source.project.fullPath}`,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: source.branch,
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: source.sha,
    CI_MERGE_REQUEST_DIFF_ID: request.diffId,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: request.diffBaseSha,
  };
}
