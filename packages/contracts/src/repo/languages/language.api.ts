import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { projectId } from '../../shared/common.params.ts';
import { readsRepository } from '../commits/commit.api.ts';

export const getLanguages = defineEndpoint({
  ...readsRepository,
  id: 'project-language-list',
  method: 'GET',
  path: '/projects/:id/languages',
  summary: 'Programming languages of the default branch, with their share of its code in percent',
  spec: 'companions 2.3',
  params: { id: projectId },
  response: z.record(z.string(), z.number()).meta({ examples: [{ TypeScript: 91.4, Shell: 8.6 }] }),
});

export const languageEndpoints = [getLanguages];
