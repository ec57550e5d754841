import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

export const countSnippets = defineOperation({
  id: 'snippets-count',
  service: 'repo',
  summary: 'How many snippets there are, for administrators',
  effect: 'read',
  request: z.strictObject({}),
  answer: z.strictObject({ snippets: z.int() }),
});

export const snippetOperations = [countSnippets];
