import { searchedBlobView, searchedCommitView } from '@forgelog/contracts/repo/search/search.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import { commitJson, type ShownCommit } from '../commits/commit.view.ts';
import type { Excerpt } from './excerpt.ts';

export interface FoundBlob extends Excerpt {
  projectId: number;
  path: string;
  /** null for a page of a wiki. */
  oid: string | null;
  ref: string;
}

export const searchedBlobJson = implementView(searchedBlobView).from<FoundBlob>({
  basename: derived(['path'], (path: string) => path.replace(/\.[^./]*$/, '')),
  data: 'data',
  path: 'path',
  filename: 'path',
  id: 'oid',
  ref: 'ref',
  startline: 'startline',
  project_id: 'projectId',
});

export const searchedCommitJson = implementView(searchedCommitView).from<ShownCommit>({
  ...commitJson.members,
  project_id: 'projectId',
});
