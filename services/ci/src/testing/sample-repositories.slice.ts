import type { AnswerOf } from '@forgelog/contracts/operation.ts';
import { describeCommits, findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { describeMerge } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import {
  describeRef,
  listChangedPaths,
  listPaths,
  readFiles,
  readPushVariables,
} from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import {
  findMergeRequest,
  listMergeRequestsOfBranch,
  type MergeRequestFacts,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';

type Files = Readonly<Record<string, string>>;

export interface SampleRepository {
  /** By branch. */
  branches?: Readonly<Record<string, Files>>;
  configPath?: string;
  changed?: readonly string[] | null;
  protectedBranches?: readonly string[];
  /** By default everyone. */
  readers?: readonly number[];
  pushers?: readonly number[];
  message?: string;
  restrictsVariables?: boolean;
  /** Ids of further commits. */
  commits?: readonly string[];
  /** Merge requests of this project. */
  mergeRequests?: readonly SampleMergeRequest[];
  /** By id of the push. */
  pushVariables?: Readonly<Record<string, { key: string; value: string }[]>>;
}

export interface SampleMergeRequest extends MergeRequestFacts {
  isOpen?: boolean;
  heads?: string[];
}

const factsOf = ({ isOpen: _, heads: __, ...facts }: SampleMergeRequest): MergeRequestFacts => facts;

const NO_PROJECT = { refused: 'no project' } as const;

/** The commit of a branch: no two have the same. */
export const sampleSha = (branch: string) => Buffer.from(branch).toString('hex').padEnd(40, '0').slice(0, 40);

/** Stands in for the repo service: repositories by project, whose default branch is `main`. */
export function sampleRepositories(repositories: Readonly<Record<number, SampleRepository>>) {
  const readable = (projectId: number, userId: number | undefined) => {
    const found = repositories[projectId];
    return found && (!found.readers || found.readers.includes(userId!)) ? found : undefined;
  };
  const branchOf = ({ branches = {} }: SampleRepository, revision: string | null) =>
    Object.keys(branches).find((name) => (revision ?? 'main') === name || revision === sampleSha(name));

  return defineSlice<ServicePorts>({
    operations: [
      () => [
        implementOperation(
          describeRef,
          async ({ request, principal }): Promise<AnswerOf<typeof describeRef>> => {
            const repository = readable(request.projectId, principal?.userId);
            if (!repository) return NO_PROJECT;
            const branch = branchOf(repository, request.ref?.replace(/^refs\/heads\//, '') ?? null);
            if (!branch) return { refused: 'no ref' };
            const { configPath = null, protectedBranches = [], pushers, message = 'Begin' } = repository;
            const { restrictsVariables = false } = repository;
            const isProtected = protectedBranches.includes(branch);
            return {
              ref: branch,
              kind: 'branch',
              isProtected,
              mayRun: !isProtected || !pushers || pushers.includes(principal!.userId),
              commit: {
                sha: request.sha ?? sampleSha(branch),
                message,
                author: 'Ann Author <ann@example.com>',
                timestamp: '2026-11-20T12:00:00.000+01:00',
              },
              settings: { configPath, timeoutSeconds: 3600, restrictsVariables },
            };
          },
        ),
        implementOperation(findCommit, async ({ request: { projectId, name, withBranch } }) => {
          const { branches = {}, commits = [] } = repositories[projectId] ?? {};
          const branch = Object.keys(branches).find((each) => each === name || sampleSha(each) === name);
          const sha = branch ? sampleSha(branch) : (commits.find((each) => each === name) ?? null);
          return { sha, branch: withBranch ? (branch ?? null) : null };
        }),
        implementOperation(describeCommits, async ({ request: { projectId, shas } }) => {
          const { branches = {}, commits = [], message = 'Begin' } = repositories[projectId] ?? {};
          const known = new Set([...Object.keys(branches).map(sampleSha), ...commits]);
          const ann = { name: 'Ann', email: 'ann@example.com', date: '2029-12-31T12:00:00.000Z' };
          const factsOf = (id: string) => ({
            ...{ id, parentIds: [], title: message, message: `${message}\n`, author: ann, committer: ann },
          });
          return { commits: shas.map((sha) => (known.has(sha) ? factsOf(sha) : null)) };
        }),
        implementOperation(findMergeRequest, async ({ request: { projectId, iid }, principal }) => {
          const requests = readable(projectId, principal?.userId)?.mergeRequests ?? [];
          const found = requests.find((request) => request.iid === iid);
          if (!found) return { refused: 'no merge request' as const };
          const { isOpen = true, heads = [found.sha] } = found;
          return { mergeRequest: factsOf(found), isOpen, heads };
        }),
        implementOperation(
          listMergeRequestsOfBranch,
          async ({ request: { sourceProjectId, sourceBranch } }) => ({
            mergeRequests: Object.values(repositories)
              .flatMap(({ mergeRequests = [] }) => mergeRequests)
              .filter((one) => one.sourceProjectId === sourceProjectId && one.sourceBranch === sourceBranch)
              .filter(({ isOpen = true }) => isOpen)
              .map(factsOf),
          }),
        ),
        implementOperation(describeMerge, async ({ request: { targetSha: baseSha } }) => ({
          ...{ baseSha, conflicts: [], canFastForward: true, divergedCommits: null, mayMerge: true },
          ...{ changesCount: null, changesCountIsLowerBound: false },
        })),
        implementOperation(readFiles, async ({ request, principal }): Promise<AnswerOf<typeof readFiles>> => {
          const repository = readable(request.projectId, principal?.userId);
          if (!repository) return NO_PROJECT;
          const branch = branchOf(repository, request.revision);
          if (!branch) return { refused: 'no ref' };
          const files = repository.branches![branch]!;
          return {
            sha: sampleSha(branch),
            files: request.paths.map((path) => (path in files ? { text: files[path]! } : null)),
          };
        }),
        implementOperation(listPaths, async ({ request, principal }) => {
          const repository = readable(request.projectId, principal?.userId);
          if (!repository) return NO_PROJECT;
          const branch = branchOf(repository, request.sha);
          const paths = Object.keys((branch && repository.branches![branch]) || {});
          const { folder } = request;
          const below = (path: string) => folder === '' || path === folder || path.startsWith(`${folder}/`);
          return { paths: paths.filter(below), isComplete: true };
        }),
        implementOperation(readPushVariables, async ({ request: { projectId, pushId } }) => ({
          variables: repositories[projectId]?.pushVariables?.[pushId] ?? null,
        })),
        implementOperation(listChangedPaths, async ({ request, principal }) => {
          const repository = readable(request.projectId, principal?.userId);
          if (!repository) return NO_PROJECT;
          return { paths: repository.changed ? [...repository.changed] : null };
        }),
      ],
    ],
  });
}
