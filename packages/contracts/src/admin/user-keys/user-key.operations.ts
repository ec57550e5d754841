import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** As many keys as a signature is looked up by. */
export const MAX_SIGNERS = 10;

const signingKey = z.strictObject({
  id: z.int(),
  userId: z.int(),
  title: z.string().nullable(),
  key: z.string(),
  keyIds: z.array(z.string()),
  identities: z.array(z.strictObject({ name: z.string(), email: z.string() })),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  /** The address of its owner that was asked for or is in the key, else that of the account; whether it is confirmed. */
  email: z.string(),
  confirmed: z.boolean(),
});

export const findSigningKey = defineOperation({
  id: 'signing-key-find',
  service: 'admin',
  summary: 'The key that a signature names, with its owner, and who has an e-mail address',
  effect: 'read',
  request: z.strictObject({
    kind: z.enum(['ssh', 'gpg']),
    keyIds: z.array(z.string().max(64)).max(MAX_SIGNERS),
    /** The address of the committer or tagger. */
    email: z.string(),
  }),
  answer: z.strictObject({
    key: signingKey.nullable(),
    /** The user whose confirmed address it is; null for nobody. */
    userOfEmail: z.int().nullable(),
  }),
});

export const countUserKeys = defineOperation({
  id: 'user-keys-count',
  service: 'admin',
  summary: 'How many keys of a kind users have, for administrators',
  effect: 'read',
  request: z.strictObject({ kind: z.enum(['ssh', 'gpg']) }),
  answer: z.strictObject({ keys: z.int() }),
});

export type SigningKey = z.output<typeof signingKey>;

export const userKeyOperations = [findSigningKey, countUserKeys];
