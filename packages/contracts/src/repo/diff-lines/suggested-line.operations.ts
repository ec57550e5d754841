import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Bounds of one request. */
export const LINE_BOUNDS = { ranges: 400, edits: 100, lines: 201 } as const;

const projectId = z.int();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
const line = z.int().min(1);
/** The same for a project that does not exist and for one whose repository the caller may not read. */
const noProject = z.strictObject({ refused: z.literal('no project') });

export const readLines = defineOperation({
  id: 'lines-read',
  service: 'repo',
  summary: 'Texts of lines of files',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    ranges: z.array(z.strictObject({ sha, path: z.string(), from: line, to: line })).max(LINE_BOUNDS.ranges),
  }),
  answer: z.union([
    noProject,
    z.strictObject({
      /** In the order of the request, with the ends of the lines; null for no such file or line. */
      texts: z.array(z.string().nullable()),
    }),
  ]),
});

export const commitLines = defineOperation({
  id: 'lines-commit',
  service: 'repo',
  summary: 'Commit other lines of files, which suggestions propose, to a branch',
  effect: 'write',
  readsRepository: true,
  request: z.strictObject({
    /** The project of the branch. */
    projectId,
    branch: z.string(),
    /** The tip that the branch must have; the edits are about its lines. */
    sha,
    message: z.string(),
    /** For the event of the move. */
    suggestionIds: z.array(z.int()).max(LINE_BOUNDS.edits),
    /** Edits of one file do not overlap. An empty `content` removes the lines. */
    edits: z
      .array(z.strictObject({ path: z.string(), from: line, to: line, content: z.string() }))
      .min(1)
      .max(LINE_BOUNDS.edits),
  }),
  answer: z.union([
    noProject,
    /** A rule of the project refuses the commit. */
    z.strictObject({ refused: z.literal('rule'), message: z.string() }),
    z.strictObject({ refused: z.enum(['no branch', 'branch moved', 'forbidden', 'no line', 'no change']) }),
    /** The new commit. */
    z.strictObject({ sha }),
  ]),
});

export const suggestedLineOperations = [readLines, commitLines];
