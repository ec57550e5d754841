import { described, int, required } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import type { DiscussedContract } from '../targets/target.ts';

const params = { id: projectId, snippet_id: described(required(int()), 'Id of the snippet') };

/** A snippet of a project can be discussed, and is no target: nobody closes or assigns it. */
export const discussedSnippet = {
  id: 'snippet',
  name: 'a snippet',
  path: '/projects/:id/snippets/:snippet_id',
  params,
  feature: 'snippets',
  signedIn: false,
} as const satisfies DiscussedContract;
