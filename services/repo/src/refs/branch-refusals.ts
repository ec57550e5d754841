import type { RefRule } from './ref-protection.rules.ts';

/** What git prints to a pusher whom a protected branch does not admit; stock clients know the texts. */
export const BRANCH_REFUSALS: RefRule['refusals'] = {
  create: 'You are not allowed to create protected branches on this project.',
  update: 'You are not allowed to push code to protected branches on this project.',
  merge: 'You are not allowed to merge code into protected branches on this project.',
  force: 'You are not allowed to force push code to a protected branch on this project.',
  delete: 'You are not allowed to delete protected branches from this project. Unprotect the branch first.',
};
