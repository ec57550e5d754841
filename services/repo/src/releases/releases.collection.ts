import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { ReleaseDeleted } from '@forgelog/contracts/repo/releases/release.events.ts';
import {
  releaseEvidenceLifetime,
  releaseLifetime,
  releaseLinkLifetime,
} from '@forgelog/contracts/repo/releases/release.lifetime.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

const ofProject = endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId));
const ofRelease = endsWith(ReleaseDeleted, ({ releaseId }) => eq('releaseId', releaseId));

export const releases = defineCollection({
  name: 'releases',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    tagName: 'text',
    authorId: 'integer',
    name: 'text',
    description: 'text?',
    releasedAt: 'text',
    /** Some may be deleted since. */
    milestoneIds: 'integer[]',
    /** When evidence is to be collected; null once there is some. */
    evidenceDueAt: 'text?',
    /** Position of its creation, to tell it from what happened to the tag before. */
    createdIn: 'text',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [
    ['projectId', 'tagName'],
    ['projectId', 'releasedAt'],
    ['projectId', 'createdAt'],
    ['evidenceDueAt'],
  ],
  holds: { lifetime: releaseLifetime },
  ownedBy: [ofProject],
});

export const releaseLinks = defineCollection({
  name: 'release_links',
  key: 'id',
  fields: {
    id: 'integer',
    releaseId: 'integer',
    projectId: 'integer',
    name: 'text',
    url: 'text',
    filepath: 'text?',
    linkType: 'text',
  },
  indexes: [['releaseId'], ['projectId']],
  holds: { lifetime: releaseLinkLifetime },
  ownedBy: [ofRelease, ofProject],
});

export const releaseEvidences = defineCollection({
  name: 'release_evidences',
  key: 'id',
  fields: {
    id: 'integer',
    releaseId: 'integer',
    projectId: 'integer',
    sha: 'text',
    snapshot: 'text',
    collectedAt: 'text',
  },
  indexes: [['releaseId'], ['projectId']],
  holds: { lifetime: releaseEvidenceLifetime },
  ownedBy: [ofRelease, ofProject],
});

export type ReleaseRow = DocumentOf<typeof releases>;
export type ReleaseLinkRow = DocumentOf<typeof releaseLinks>;
export type ReleaseEvidenceRow = DocumentOf<typeof releaseEvidences>;
