import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { userId } from '../../shared/event.fields.ts';
import examples from './user-key.events.examples.json' with { type: 'json' };

const key = {
  userKeyId: z.int().describe('Id of the key, unique among keys of both kinds.'),
  userId,
  kind: z.enum(['ssh', 'gpg']).describe('`ssh` for a key of OpenSSH, `gpg` for one of OpenPGP.'),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .describe('SHA-256 of a key of OpenSSH, or the fingerprint of one of OpenPGP; in hexadecimal.'),
};

export const UserKeyCreated = defineEvent({
  type: 'UserKeyCreated',
  version: 1,
  description: 'A user got a public key, by which signatures of commits and tags are known to be theirs.',
  subject: 'userKey-<fingerprint>',
  example: examples.UserKeyCreated,
  service: 'admin',
  audit: privileged('User', 'UserKey'),
  activity: 'administration',
  schema: z.object({
    ...key,
    title: personal(z.string().nullable().describe('What its owner calls it; null for keys of OpenPGP.')),
    key: personal(z.string().describe('The public key as text.')),
    keyIds: z
      .array(z.string())
      .describe('What it is named by: ids of OpenPGP, or SHA-256 in Base64 and MD5 of a key of OpenSSH.'),
    identities: personal(
      z
        .array(z.object({ name: z.string().describe('A name.'), email: z.string().describe('An address.') }))
        .describe('Whom the key says that it belongs to.'),
    ),
    expiresAt: z
      .string()
      .nullable()
      .describe('When its owner wants it to end, in ISO 8601 and UTC; null for never.'),
  }),
});

export const UserKeyDeleted = defineEvent({
  type: 'UserKeyDeleted',
  version: 1,
  description: 'A user no longer has a public key; what it signed is no longer known to be theirs.',
  subject: 'userKey-<fingerprint>',
  example: examples.UserKeyDeleted,
  service: 'admin',
  audit: privileged('User', 'UserKey'),
  activity: 'administration',
  schema: z.object(key),
});

export const userKeyEvents = [UserKeyCreated, UserKeyDeleted] as const;
export type UserKeyEvent = EventOf<(typeof userKeyEvents)[number]>;
