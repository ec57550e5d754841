import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { describedRecord } from '../../shared/described-record.ts';
import { RELEASE_LINK_TYPES } from './release-link.api.ts';

export const describeRelease = defineOperation({
  id: 'release-describe',
  service: 'repo',
  summary: 'A release with its links, for what is told of it; the asking service checks rights',
  effect: 'read',
  request: describedRecord,
  answer: z.strictObject({
    release: z
      .strictObject({
        id: z.int(),
        projectId: z.int(),
        tagName: z.string(),
        name: z.string(),
        description: z.string().nullable(),
        createdAt: z.string(),
        releasedAt: z.string(),
        url: z.string(),
        links: z.array(
          z.strictObject({
            id: z.int(),
            name: z.string(),
            url: z.string(),
            external: z.boolean(),
            linkType: z.enum(RELEASE_LINK_TYPES),
          }),
        ),
        sources: z.array(z.strictObject({ format: z.string(), url: z.string() })),
      })
      .nullable(),
  }),
});

export const releaseOperations = [describeRelease];
