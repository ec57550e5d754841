import { contributorView } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import type { Contributor } from '@forgelog/git/history/history.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

/** Contributor [L57]; additions and deletions are deprecated and always 0. */
export const contributorJson = implementView(contributorView).from<Contributor>({
  name: 'name',
  email: 'email',
  commits: 'commits',
  additions: 0,
  deletions: 0,
});
