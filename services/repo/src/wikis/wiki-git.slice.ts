import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { wikiRepositoryPolicies } from './wiki-repositories.policy.ts';

/** Wikis as git sees them. Their transport is the host's (`repo.ts`). */
export const wikiGitSlice = defineSlice<RepoPorts>({ policies: [wikiRepositoryPolicies] });
