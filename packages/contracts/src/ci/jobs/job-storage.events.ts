import { z } from 'zod';
import { defineEvent } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed } from '../../shared/changes.ts';
import { userId } from '../../shared/event.fields.ts';
import { jobFields, PIPELINE_SUBJECT, timeOrNull } from '../pipelines/pipeline.fields.ts';
import examples from './job-storage.events.examples.json' with { type: 'json' };

/* What a job leaves in the object store. */

const fileType = z
  .string()
  .describe('What it is: `archive`, `metadata`, or the kind of a report such as `junit`; each once a job.');

export const JOB_ARTIFACTS_KEPT = {
  changes: { artifactsKept: true },
  previous: { artifactsKept: false },
} as const;

export const JobArtifactAdded = defineEvent({
  type: 'JobArtifactAdded',
  version: 1,
  description: 'A job has an artifact more: an archive, or a report.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobArtifactAdded,
  service: 'ci',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    ...jobFields,
    fileType,
    fileFormat: z.enum(['zip', 'gzip', 'raw']).describe('Format of the file.'),
    filename: personal(z.string().describe('Name of the file.')),
    size: z.int().describe('Bytes of the file.'),
    sha256: z.string().describe('SHA-256 of the file in hexadecimal, the name of its object.'),
    expiresAt: timeOrNull('it expires', 'for never'),
  }),
});

export const JobArtifactsKept = defineEvent({
  type: 'JobArtifactsKept',
  version: 1,
  description: 'Somebody decided that the artifacts of a job do not expire.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobArtifactsKept,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ ...jobFields, ...alwaysChanged(JOB_ARTIFACTS_KEPT) }),
});

export const JobArtifactDeleted = defineEvent({
  type: 'JobArtifactDeleted',
  version: 1,
  description: 'An artifact of a job is gone.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobArtifactDeleted,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...jobFields,
    fileType,
    reason: z.enum(['deleted', 'expired', 'erased']).describe('Why it is gone.'),
  }),
});

export const JobLogArchived = defineEvent({
  type: 'JobLogArchived',
  version: 1,
  description: 'The log of a job is complete and stored as one object.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobLogArchived,
  service: 'ci',
  audit: 'system',
  activity: 'system',
  schema: z.object({
    ...jobFields,
    ...changed({
      logSize: z.int().nullable().describe('Bytes of the log; null while it is not archived.'),
      logSha256: z
        .string()
        .nullable()
        .describe(
          'SHA-256 of the log in hexadecimal, the name of its object; null while it is not archived.',
        ),
    }),
  }),
});

export const JobErased = defineEvent({
  type: 'JobErased',
  version: 1,
  description: 'The log of a job was erased; its artifacts go by an event of their own.',
  subject: PIPELINE_SUBJECT,
  example: examples.JobErased,
  service: 'ci',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({
    ...jobFields,
    ...changed({
      erasedAt: timeOrNull('it was erased', 'if it was not'),
      erasedById: userId.nullable().describe('Id of the user who erased it; null if nobody did.'),
      logSize: z.int().nullable().describe('Bytes of the log; null without one.'),
      logSha256: z.string().nullable().describe('SHA-256 of the log in hexadecimal; null without one.'),
    }),
  }),
});
