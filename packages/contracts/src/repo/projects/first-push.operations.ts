import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

export const advertiseFirstPush = defineOperation({
  id: 'first-push-advertise',
  service: 'repo',
  summary: 'What a push finds at an address where there is nothing, and may make a project (ADR 22)',
  effect: 'read',
  request: z.strictObject({
    /** As the caller wrote it, decoded, without `.git`. */
    path: z.string(),
    /** The raw `Git-Protocol` header. */
    protocol: z.string().nullable(),
  }),
  /** The body of `info/refs`, binary data in base64. */
  answer: z.strictObject({ advertisement: z.base64() }),
});

export const firstPushOperations = [advertiseFirstPush];
