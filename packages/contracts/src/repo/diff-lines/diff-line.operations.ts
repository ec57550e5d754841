import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Lines of one request. */
export const MAX_FOLLOWED_LINES = 1_000;

const projectId = z.int();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
const line = z.int().min(1);
/** The same for a project that does not exist and for one whose repository the caller may not read. */
const noProject = z.strictObject({ refused: z.literal('no project') });

export const findDiffLine = defineOperation({
  id: 'diff-line-find',
  service: 'repo',
  summary: 'The line of a diff between two commits that a comment is about',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    /** Null: everything in `toSha` is new. */
    fromSha: sha.nullable(),
    toSha: sha,
    oldPath: z.string(),
    newPath: z.string(),
    /** Numbers from 1. An added line has no old one, a removed line no new one, any other both. */
    oldLine: line.nullable(),
    newLine: line.nullable(),
  }),
  answer: z.union([
    noProject,
    /** `no line` too where the file is binary, or its diff too large to read. */
    z.strictObject({ refused: z.enum(['no commit', 'no file', 'no line']) }),
    z.strictObject({
      kind: z.enum(['added', 'removed', 'unchanged']),
      /** A side that lacks the line has the number of the line that comes next there. */
      oldLine: line,
      newLine: line,
      /** The file's own names: one that was renamed may be asked for by either. */
      oldPath: z.string(),
      newPath: z.string(),
      text: z.string(),
    }),
  ]),
});

export const followLines = defineOperation({
  id: 'lines-follow',
  service: 'repo',
  summary: 'Where lines of files at one commit are at another',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    fromSha: sha,
    toSha: sha,
    lines: z.array(z.strictObject({ path: z.string(), line })).max(MAX_FOLLOWED_LINES),
  }),
  answer: z.union([
    noProject,
    z.strictObject({
      /** In the order of the request. Null for a line that changed or went, and where a commit is missing. */
      lines: z.array(z.strictObject({ path: z.string(), line }).nullable()),
    }),
  ]),
});

export const diffLineOperations = [findDiffLine, followLines];
