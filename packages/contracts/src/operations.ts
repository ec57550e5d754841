import { accessTokenOperations } from './admin/access-tokens/access-token.operations.ts';
import { oauthAuthorizationOperations } from './admin/oauth-authorizations/oauth-authorization.operations.ts';
import { userSearchOperations } from './admin/search/user-search.operations.ts';
import { userKeyOperations } from './admin/user-keys/user-key.operations.ts';
import { deploymentOperations } from './ci/deployments/deployment.operations.ts';
import { featureFlagOperations } from './ci/feature-flags/feature-flag.operations.ts';
import { jobOperations } from './ci/jobs/job.operations.ts';
import { pipelineOperations } from './ci/pipelines/pipeline.operations.ts';
import type { Operation } from './operation.ts';
import { codeOwnerOperations } from './repo/code-owners/code-owner.operations.ts';
import { commitOperations } from './repo/commits/commit.operations.ts';
import { diffLineOperations } from './repo/diff-lines/diff-line.operations.ts';
import { suggestedLineOperations } from './repo/diff-lines/suggested-line.operations.ts';
import { mergeOperations } from './repo/merges/merge.operations.ts';
import { firstPushOperations } from './repo/projects/first-push.operations.ts';
import { projectOperations } from './repo/projects/project.operations.ts';
import { releaseOperations } from './repo/releases/release.operations.ts';
import { repositorySourceOperations } from './repo/repositories/repository-source.operations.ts';
import { repoSearchOperations } from './repo/search/repo-search.operations.ts';
import { snippetOperations } from './repo/snippets/snippet.operations.ts';
import { repositoryCopyOperations } from './repo/storage-moves/repository-copy.operations.ts';
import { wikiPageOperations } from './repo/wikis/wiki-page.operations.ts';
import { activityEventOperations } from './tracker/activity-events/activity-event.operations.ts';
import { mergeRequestOperations } from './tracker/merge-requests/merge-request.operations.ts';
import { milestoneOperations } from './tracker/milestones/milestone.operations.ts';

/** Every operation: one line per slice. */
export const operations: readonly Operation[] = [
  ...projectOperations,
  ...firstPushOperations,
  ...repositorySourceOperations,
  ...repositoryCopyOperations,
  ...commitOperations,
  ...mergeOperations,
  ...codeOwnerOperations,
  ...diffLineOperations,
  ...suggestedLineOperations,
  ...repoSearchOperations,
  ...snippetOperations,
  ...releaseOperations,
  ...wikiPageOperations,
  ...mergeRequestOperations,
  ...milestoneOperations,
  ...activityEventOperations,
  ...accessTokenOperations,
  ...oauthAuthorizationOperations,
  ...userKeyOperations,
  ...userSearchOperations,
  ...pipelineOperations,
  ...jobOperations,
  ...deploymentOperations,
  ...featureFlagOperations,
];
