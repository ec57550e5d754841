import {
  describeRef,
  listChangedPaths,
  listPaths,
  readFiles,
  readPushVariables,
  SOURCE_BOUNDS,
} from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import {
  GitTimeoutError,
  InvalidNameError,
  ObjectNotFoundError,
  ObjectTooLargeError,
} from '@forgelog/git/errors.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { ProjectGrant, ProjectSummary } from '@forgelog/service-kit/access.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { answeredSettings, type ProjectSettings } from '../projects/project-settings.rules.ts';
import { NO_PROJECT, readableRepositories } from '../shared/readable-repository.ts';
import { findRevision } from '../shared/revisions.ts';

/** What pipelines need to know of a repository. Whoever may not read it gets the answer for a missing project. */
export function repositorySourceOperations(ports: RepoPorts): OperationImplementation[] {
  const { repositories, refAccess, readStore, pushVariables } = ports;
  const readable = readableRepositories(ports);

  async function protectionOf(grant: ProjectGrant, { ref, kind }: NamedRef) {
    const access = await refAccess(grant);
    const isProtected = access.protectionOf(ref) !== undefined;
    // Whoever may push may also merge.
    return {
      isProtected,
      mayRun: !isProtected || access.mayMove(ref, kind === 'branch' ? 'merge' : 'create'),
    };
  }

  return [
    implementOperation(describeRef, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ grant, repository }) => {
        // A push is in the log before git has moved its refs.
        if (request.sha !== null) await repositories.idle(request.projectId);
        const named = await findRef(repository, grant.project, request.ref);
        if (!named) return { refused: 'no ref' as const };
        const commitId = request.sha === null ? named.oid : await repository.peelToCommit(request.sha);
        const commit = commitId && (await repository.commit(commitId));
        if (!commit) return { refused: 'no commit' as const };
        const row = await readStore.get(projects, request.projectId);
        if (!row) return NO_PROJECT;
        return {
          ref: shortName(named.ref),
          kind: named.kind,
          ...(await protectionOf(grant, named)),
          commit: commitFacts(commit),
          settings: pipelineSettings(answeredSettings(row.settings as ProjectSettings)),
        };
      }),
    ),

    implementOperation(readFiles, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ grant, repository }) => {
        const revision = await findRevision(repository, grant.project, request.revision ?? undefined);
        if (!revision) return { refused: 'no ref' as const };
        const files: ({ text: string } | 'too large' | null)[] = [];
        let left: number = SOURCE_BOUNDS.bytes;
        for (const path of request.paths) {
          const file = await readWithin(repository, { commitId: revision.oid, path, left });
          if (Buffer.isBuffer(file)) left -= file.length;
          files.push(Buffer.isBuffer(file) ? { text: file.toString('utf8') } : file);
        }
        return { sha: revision.oid, files };
      }),
    ),

    implementOperation(listPaths, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const listing = await repository
          .tree(request.sha, { path: request.folder, recursive: true })
          .catch(ifMissing(undefined));
        if (!listing) return { paths: [], isComplete: true };
        const files = listing.entries.filter(({ type }) => type === 'blob');
        return { paths: files.map(({ path }) => path), isComplete: !listing.truncated };
      }),
    ),

    implementOperation(readPushVariables, async ({ request: { pushId }, principal }) => ({
      variables: pushVariables.read(pushId, principal?.userId ?? null),
    })),

    implementOperation(listChangedPaths, ({ request, principal }) =>
      readable.answer(request.projectId, principal, async ({ repository }) => {
        const changes = await repository.changedPaths(request.from, request.to).catch((error: unknown) => {
          // Too many to compare in time: not known either.
          if (error instanceof GitTimeoutError) return null;
          return ifMissing(null)(error);
        });
        if (changes === null || changes.length > SOURCE_BOUNDS.changes) return { paths: null };
        return { paths: [...new Set(changes.flatMap(({ oldPath, newPath }) => [oldPath, newPath]))] };
      }),
    ),
  ];
}

interface NamedRef {
  ref: string;
  kind: 'branch' | 'tag';
  oid: string;
}

/** A branch before a tag, by a short or full name. A commit id names no ref, though a branch may be named like one. */
async function findRef(
  repository: RepositoryReads,
  { defaultBranch }: ProjectSummary,
  name: string | null,
): Promise<NamedRef | undefined> {
  const wanted = name ?? defaultBranch;
  if (!wanted) return undefined;
  const full = /^refs\/(heads|tags)\//.test(wanted) ? [wanted] : [];
  for (const ref of [`refs/heads/${wanted}`, `refs/tags/${wanted}`, ...full]) {
    const target = await repository.readRef(ref).catch(ifInvalidName);
    const oid = target && (await repository.peelToCommit(target));
    if (oid) return { ref, kind: ref.startsWith('refs/heads/') ? 'branch' : 'tag', oid };
  }
  return undefined;
}

function ifInvalidName(error: unknown): undefined {
  if (!(error instanceof InvalidNameError)) throw error;
}

const pipelineSettings = (settings: Readonly<Record<string, unknown>>) => ({
  configPath: (settings.ci_config_path as string | null) || null,
  timeoutSeconds: settings.build_timeout as number,
  restrictsVariables: settings.restrict_user_defined_variables === true,
});

const shortName = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');

const commitFacts = ({ id, message, author, committer }: Commit) => ({
  sha: id,
  message,
  author: `${author.name} <${author.email}>`,
  timestamp: committer.date.iso,
});

/** Returns null for no file. */
async function readWithin(
  repository: RepositoryReads,
  { commitId, path, left }: { commitId: string; path: string; left: number },
): Promise<Buffer | 'too large' | null> {
  try {
    return (await repository.file(commitId, path, left))?.content ?? null;
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return 'too large';
    throw error;
  }
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ObjectNotFoundError) return instead;
    throw error;
  };
}
