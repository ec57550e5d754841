import { z } from 'zod';
import { defineView } from '../../views.ts';
import { commitView } from '../commits/commit.api.ts';
import examples from './search.examples.json' with { type: 'json' };

/** A file, or a page of a wiki, with the lines around what was found (companions 2.4). */
export const searchedBlobView = defineView(
  'SearchedBlob',
  {
    /** The path without its ending. */
    basename: z.string(),
    data: z.string(),
    path: z.string(),
    /** The path again, as older clients read it. */
    filename: z.string(),
    /** null for a page of a wiki. */
    id: z.string().nullable(),
    ref: z.string(),
    /** Number of the first line of `data`. */
    startline: z.int(),
    project_id: z.int(),
  },
  examples.SearchedBlob,
);

/** A commit with the project that it is in (companions 2.4). */
export const searchedCommitView = defineView(
  'SearchedCommit',
  { ...commitView.shape, project_id: z.int() },
  examples.SearchedCommit,
);
