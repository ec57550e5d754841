import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Bounds of one answer, in bytes and in paths. */
export const SOURCE_BOUNDS = { bytes: 1024 * 1024, files: 100, paths: 100_000, changes: 20_000 } as const;

const projectId = z.int();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
/** The same for a project that does not exist and for one that the caller may not read. */
const noProject = z.strictObject({ refused: z.literal('no project') });

export const describeRef = defineOperation({
  id: 'repository-ref-describe',
  service: 'repo',
  summary: 'A branch or tag with its commit, for a pipeline',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    /** A name, short or full; a branch comes before a tag. Null means the default branch. */
    ref: z.string().nullable(),
    /**
     * A commit to describe instead of the one that the ref has now, or an annotated tag of one. Pushes of the project
     * that are recorded but not finished yet are waited for.
     */
    sha: sha.nullable(),
  }),
  answer: z.union([
    noProject,
    z.strictObject({ refused: z.enum(['no ref', 'no commit']) }),
    z.strictObject({
      /** Without `refs/heads/` or `refs/tags/`. */
      ref: z.string(),
      kind: z.enum(['branch', 'tag']),
      isProtected: z.boolean(),
      /** Whether the caller may push to the ref or merge into it, which a pipeline of a protected ref requires. */
      mayRun: z.boolean(),
      commit: z.strictObject({
        sha,
        message: z.string(),
        /** As `Name <address>`. */
        author: z.string(),
        /** When it was committed, ISO 8601. */
        timestamp: z.string(),
      }),
      settings: z.strictObject({
        /** The project's own path of its configuration; null for the usual one. */
        configPath: z.string().nullable(),
        /** Longest time of a job. */
        timeoutSeconds: z.int(),
        /** Whether only maintainers may give variables to a pipeline. */
        restrictsVariables: z.boolean(),
      }),
    }),
  ]),
});

export const readFiles = defineOperation({
  id: 'repository-files-read',
  service: 'repo',
  summary: 'Text files at a commit, by path',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    /** A branch, a tag or a commit id; null means the default branch. */
    revision: z.string().nullable(),
    paths: z.array(z.string()).max(SOURCE_BOUNDS.files),
  }),
  answer: z.union([
    noProject,
    z.strictObject({ refused: z.literal('no ref') }),
    z.strictObject({
      sha,
      /** In the order of the request. Null is no file, `too large` one that exceeds what is left of the bound. */
      files: z.array(z.strictObject({ text: z.string() }).or(z.literal('too large')).nullable()),
    }),
  ]),
});

export const listPaths = defineOperation({
  id: 'repository-paths-list',
  service: 'repo',
  summary: 'Paths of all files below a folder at a commit',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    sha,
    /** Without slashes at its ends; empty for the root. */
    folder: z.string(),
  }),
  answer: z.union([
    noProject,
    z.strictObject({
      paths: z.array(z.string()),
      /** False where the repository has more. */
      isComplete: z.boolean(),
    }),
  ]),
});

export const listChangedPaths = defineOperation({
  id: 'repository-changes-list',
  service: 'repo',
  summary: 'Paths that differ between two commits',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({ projectId, from: sha, to: sha }),
  answer: z.union([
    noProject,
    z.strictObject({
      /** Null where they are not known: a commit is gone, or there are too many. */
      paths: z.array(z.string()).nullable(),
    }),
  ]),
});

export const readPushVariables = defineOperation({
  id: 'push-variables-read',
  service: 'repo',
  summary: 'Values of the variables that a push gave to its pipelines (`git push -o ci.variable=KEY=value`)',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({ projectId, pushId: z.string() }),
  answer: z.strictObject({
    /** Null where they are gone: they are kept in memory for some minutes, and only the pusher gets them. */
    variables: z.array(z.strictObject({ key: z.string(), value: z.string() })).nullable(),
  }),
});

export const repositorySourceOperations = [
  describeRef,
  readFiles,
  listPaths,
  listChangedPaths,
  readPushVariables,
];
