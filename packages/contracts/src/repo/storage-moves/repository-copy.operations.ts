import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Bounds of one answer. */
export const COPY_BOUNDS = { files: 500_000, pieces: 2_000, bytes: 8 * 1024 * 1024 } as const;

/** Milliseconds that writes wait at most for the last refs of a move. */
export const HOLD_MS = 5_000;

const projectId = z.int();
const moveId = z.int();
/** `pack/pack-….pack`, `ab/cdef…`, or the key of an object that is no part of the repository. */
const name = z.string().max(300);
const from = z.enum(['repository', 'objects']);

/** Only for a move that the log knows as begun: an administrator scheduled it, and the destination asks. */
const noMove = z.strictObject({ refused: z.literal('no move') });

export const listCopiedFiles = defineOperation({
  id: 'repository-copied-files-list',
  service: 'repo',
  summary:
    'Files that a move to another storage copies. With `holds` writes wait for some seconds, and those under way have ended',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    moveId,
    /** Without it, a hold of before ends. */
    holds: z.boolean(),
  }),
  answer: z.union([
    noMove,
    z.strictObject({
      /** `busy`: a write took longer than one may wait. `large`: too many files for one answer. */
      refused: z.enum(['busy', 'large']),
    }),
    z.strictObject({
      files: z.array(z.strictObject({ from, name, bytes: z.int(), objects: z.int() })).max(COPY_BOUNDS.files),
    }),
  ]),
});

export const readCopiedFiles = defineOperation({
  id: 'repository-copied-files-read',
  service: 'repo',
  summary: 'Bytes of such files, as they lie on the disk',
  effect: 'read',
  readsRepository: true,
  request: z.strictObject({
    projectId,
    moveId,
    pieces: z
      .array(z.strictObject({ from, name, offset: z.int().min(0), length: z.int().min(0) }))
      .max(COPY_BOUNDS.pieces),
  }),
  answer: z.union([
    noMove,
    z.strictObject({
      /** In base64; null for a file that is no longer there. */
      pieces: z.array(z.string().nullable()),
    }),
  ]),
});

export const repositoryCopyOperations = [listCopiedFiles, readCopiedFiles] as const;
