import { z } from 'zod';

/** How sending to an address that people gave went. */
export const sendingFields = {
  attempts: z.int().describe('How often it was sent.'),
  status: z.int().nullable().describe('Status of the last answer; null for none.'),
  error: z
    .enum(['address', 'name', 'time', 'connection', 'certificate'])
    .nullable()
    .describe('Why there was no answer; null if there was one.'),
};
