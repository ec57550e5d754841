import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Bounds of one question: merge requests, and lines of the file that own what one of them changes. */
export const CODE_OWNER_BOUNDS = { pairs: 100, lines: 1_000 } as const;

const sha = z.string().regex(/^[0-9a-f]{40}$/);

const ownedLine = z.strictObject({
  /** Null for lines above the first heading. */
  section: z.string().nullable(),
  isOptional: z.boolean(),
  /** Approvals that it needs. */
  approvals: z.int(),
  pattern: z.string(),
  /** `@name` of users and groups, and addresses. */
  owners: z.array(z.string()),
});

export type OwnedLine = z.output<typeof ownedLine>;

export const findCodeOwners = defineOperation({
  id: 'code-owners-find',
  service: 'repo',
  summary: 'Lines of the file of code owners that own what merges would change, by the file of the target',
  effect: 'read',
  readsRepository: true,
  deadlineMs: 90_000,
  request: z.strictObject({
    projectId: z.int(),
    pairs: z.array(z.strictObject({ sourceSha: sha, targetSha: sha })).max(CODE_OWNER_BOUNDS.pairs),
  }),
  answer: z.union([
    z.strictObject({ refused: z.literal('no project') }),
    /** In the order of the request; null where a commit is missing, it takes too long, or the lines are too many. */
    z.strictObject({ found: z.array(z.array(ownedLine).nullable()) }),
  ]),
});

export const codeOwnerOperations = [findCodeOwners];
