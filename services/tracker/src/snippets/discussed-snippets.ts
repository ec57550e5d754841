import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  snippetDiscussions,
  snippetNotes,
} from '@forgelog/contracts/tracker/snippets/snippet-discussion.api.ts';
import { isOpenTo } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Discussed, DiscussedKind } from '../targets/target.ts';
import { targetKey } from '../targets/target-ref.ts';
import { snippetReaders } from './snippet-readers.projection.ts';

type DiscussedSnippet = Extract<Discussed, { type: 'Snippet' }>;

/** The snippet that the path of a request names. @throws record_not_found */
async function requireSnippet(
  { readStore }: Pick<ServicePorts, 'readStore'>,
  { params, project: { project, level }, principal }: ApiRequest,
): Promise<DiscussedSnippet> {
  const row = await readStore.get(snippetReaders, params.snippet_id as number);
  const isThere = row?.projectId === project.id;
  if (!isThere || (level < AccessLevel.guest && !isOpenTo(row.visibility as Visibility, principal)))
    throw new Rejection('record_not_found');
  const { id, projectId, authorId } = row;
  const ref = { projectId, type: 'Snippet', id } as const;
  return {
    ...{ ...ref, key: targetKey(ref), level, discussionLocked: false },
    ...{ confidential: false, authorId, assigneeIds: [] },
  };
}

/** Threads on it are not resolved, and what is said of it commands nothing. */
export const discussedSnippets: DiscussedKind<DiscussedSnippet> = {
  find: requireSnippet,
  discussions: snippetDiscussions,
  notes: snippetNotes,
};
