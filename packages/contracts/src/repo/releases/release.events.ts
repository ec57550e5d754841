import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId, userId } from '../../shared/event.fields.ts';
import examples from './release.events.examples.json' with { type: 'json' };
import { RELEASE_LINK_TYPES } from './release-link.api.ts';

/** All releases that a tag ever had are one stream, because it has one at a time. */
const release = {
  releaseId: z.int().describe('Id of the release.'),
  projectId,
  tagName: personal(z.string().describe('Name of its tag.')),
};
const attributes = {
  name: personal(z.string().describe('Name of the release.')),
  description: personal(
    z.string().nullable().describe('What is new, in Markdown; null if nothing was said.'),
  ),
  releasedAt: z.string().describe('When it is or was ready, in ISO 8601 and UTC.'),
  milestoneIds: z.array(z.int()).describe('Ids of its milestones.'),
};
const link = { releaseLinkId: z.int().describe('Id of the link.'), ...release };
const linked = {
  name: personal(z.string().describe('Name of the link, unique in the release.')),
  url: personal(z.string().describe('Where the link leads, unique in the release.')),
  filepath: personal(
    z.string().nullable().describe('Path below the permanent address of the release; null without one.'),
  ),
  linkType: z.enum(RELEASE_LINK_TYPES).describe('What it leads to.'),
};

const common = {
  version: 1,
  subject: 'release-<projectId>/<sha256>',
  isSubjectPersonal: true,
  service: 'repo',
  activity: 'unnamed',
} as const;
const ofRelease = { ...common, audit: privileged('Project', 'Release') };
/** Links that come with a release are told with it. */
const ofLink = { ...common, audit: 'content' } as const;

export const ReleaseCreated = defineEvent({
  ...ofRelease,
  version: 2,
  type: 'ReleaseCreated',
  description: 'A tag was released; the hash in the subject is that of its name.',
  example: examples.ReleaseCreated,
  schema: z.object({ ...release, userId, ...attributes }),
  upcast: { 1: (data) => ({ ...data, milestoneIds: [] }) },
});

export const ReleaseUpdated = defineEvent({
  ...ofRelease,
  version: 2,
  type: 'ReleaseUpdated',
  description: 'Attributes of a release changed.',
  example: examples.ReleaseUpdated,
  schema: z.object({ ...release, ...changed(attributes) }),
  upcast: { 1: (data) => data },
});

export const ReleaseDeleted = defineEvent({
  ...ofRelease,
  type: 'ReleaseDeleted',
  description: 'A release was deleted, by itself or with its tag.',
  example: examples.ReleaseDeleted,
  schema: z.object({
    ...release,
    reason: z
      .enum(['deleted', 'tag_deleted'])
      .describe('Whether somebody deleted the release, or its tag was deleted.'),
  }),
});

export const ReleaseEvidenceCreated = defineEvent({
  ...common,
  audit: 'part',
  type: 'ReleaseEvidenceCreated',
  description: 'What was released is on record: a snapshot, at the time of the release or when asked for.',
  example: examples.ReleaseEvidenceCreated,
  schema: z.object({
    releaseEvidenceId: z.int().describe('Id of the evidence.'),
    ...release,
    sha: z.string().describe('SHA-256 of the snapshot in UTF-8, in hexadecimal.'),
    snapshot: personal(z.string().describe('Release, commit, links and project at that time, as JSON.')),
  }),
});

export const ReleaseLinkAdded = defineEvent({
  ...ofLink,
  type: 'ReleaseLinkAdded',
  description: 'A release got a link to something that belongs to it.',
  example: examples.ReleaseLinkAdded,
  schema: z.object({ ...link, ...linked }),
});

export const ReleaseLinkUpdated = defineEvent({
  ...ofLink,
  type: 'ReleaseLinkUpdated',
  description: 'A link of a release changed.',
  example: examples.ReleaseLinkUpdated,
  schema: z.object({ ...link, ...changed(linked) }),
});

export const ReleaseLinkRemoved = defineEvent({
  ...ofLink,
  type: 'ReleaseLinkRemoved',
  description: 'A link of a release was deleted.',
  example: examples.ReleaseLinkRemoved,
  schema: z.object(link),
});

export const releaseEvents = [
  ReleaseCreated,
  ReleaseUpdated,
  ReleaseDeleted,
  ReleaseEvidenceCreated,
  ReleaseLinkAdded,
  ReleaseLinkUpdated,
  ReleaseLinkRemoved,
] as const;
export type ReleaseEvent = EventOf<(typeof releaseEvents)[number]>;
