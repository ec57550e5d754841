import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './upload.events.examples.json' with { type: 'json' };

export const UploadCreated = defineEvent({
  type: 'UploadCreated',
  version: 1,
  description: 'A file was uploaded to a project, for texts to refer to.',
  subject: 'upload-<uploadId>',
  example: examples.UploadCreated,
  service: 'repo',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    projectId,
    uploadId: z.string().describe('Id of the upload: 32 hexadecimal digits, which its address has.'),
    filename: personal(z.string().describe('Name of the file, as its address has it.')),
    size: z.int().describe('Bytes of the file.'),
    sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
  }),
});

export const uploadEvents = [UploadCreated] as const;
export type UploadEvent = EventOf<(typeof uploadEvents)[number]>;
