import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

export const MAX_TOKEN_USES = 500;

export const recordTokenUses = defineOperation({
  id: 'access-token-uses-record',
  service: 'admin',
  summary: 'Keep when personal access tokens were used last',
  effect: 'write',
  request: z.strictObject({
    uses: z
      .array(z.strictObject({ tokenId: z.int(), usedAt: z.iso.datetime() }))
      .min(1)
      .max(MAX_TOKEN_USES),
  }),
  answer: z.strictObject({}),
});

export const accessTokenOperations = [recordTokenUses];
