import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { snippetRepositoryPolicies } from './snippet-repositories.policy.ts';

/** Snippets as git sees them. Their transport is the host's (`repo.ts`). */
export const snippetGitSlice = defineSlice<RepoPorts>({ policies: [snippetRepositoryPolicies] });
