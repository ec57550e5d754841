import { findPipelineOfCommit } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import {
  findCodeOwners,
  type OwnedLine,
} from '@forgelog/contracts/repo/code-owners/code-owner.operations.ts';
import {
  describeMerge,
  describeMerges,
  prepareSource,
} from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { shaOf } from './merge-request-events.ts';

export interface Repository {
  /** `<project>/<branch>` → its commit. */
  tips: Map<string, string>;
  /** Commits that conflict with every other one. */
  conflicting: Set<string>;
  /** Commits that contain every other one. */
  newest: Set<string>;
  /** Status of the newest pipeline of each commit that has one. */
  pipelines: Map<string, CiStatus>;
  /** Lines of owners by the commit whose changes they own; null where that cannot be told. */
  owned: Map<string, OwnedLine[] | null>;
  /** How many pairs were described. */
  described: number;
}

/** Stands in for git and for ci: branches by name, and commits that conflict or do not. */
export function mergesSlice(): {
  slice: ReturnType<typeof defineSlice<ServicePorts>>;
  repository: Repository;
} {
  const repository: Repository = {
    tips: new Map([
      ['7/main', shaOf(9)],
      ['7/topic', shaOf(1)],
    ]),
    conflicting: new Set(),
    newest: new Set([shaOf(1)]),
    pipelines: new Map(),
    owned: new Map(),
    described: 0,
  };
  const tipOf = (projectId: number, branch: string) => repository.tips.get(`${projectId}/${branch}`) ?? null;
  const slice = defineSlice<ServicePorts>({
    operations: [
      () => [
        implementOperation(prepareSource, async ({ request }) => ({
          sourceSha: tipOf(request.sourceProjectId, request.sourceBranch),
          targetSha: tipOf(request.projectId, request.targetBranch),
          mayPushSource: true,
          defaultBranch: 'main',
        })),
        implementOperation(describeMerge, async ({ request: { sourceSha, ...asked } }) => ({
          baseSha: shaOf(8),
          conflicts: repository.conflicting.has(sourceSha) ? ['a.txt'] : [],
          canFastForward: repository.newest.has(sourceSha),
          divergedCommits: asked.divergedCommits ? 3 : null,
          changesCount: asked.changes ? 2 : null,
          changesCountIsLowerBound: false,
          mayMerge: true,
        })),
        implementOperation(findPipelineOfCommit, async ({ request: { projectId, sha } }) => {
          const status = repository.pipelines.get(sha);
          const at = '2030-01-10T12:00:00.000Z';
          const facts = { id: 5, iid: 2, projectId, ref: 'topic', sha, createdAt: at, updatedAt: at };
          return { pipeline: status === undefined ? null : { ...facts, status } };
        }),
        implementOperation(findCodeOwners, async ({ request: { pairs } }) => ({
          found: pairs.map(({ sourceSha }) =>
            repository.owned.has(sourceSha) ? repository.owned.get(sourceSha)! : [],
          ),
        })),
        implementOperation(describeMerges, async ({ request: { pairs } }) => {
          repository.described += pairs.length;
          return {
            merges: pairs.map(({ sourceSha }) => ({
              conflicts: repository.conflicting.has(sourceSha),
              canFastForward: repository.newest.has(sourceSha),
            })),
          };
        }),
      ],
    ],
  });
  return { slice, repository };
}
