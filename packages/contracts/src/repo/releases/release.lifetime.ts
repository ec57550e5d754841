import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import {
  ReleaseCreated,
  ReleaseDeleted,
  ReleaseEvidenceCreated,
  ReleaseLinkAdded,
  ReleaseLinkRemoved,
  ReleaseLinkUpdated,
  ReleaseUpdated,
} from './release.events.ts';

export const releaseLifetime = defineLifetime({
  kind: 'Release',
  id: ['releaseId'],
  begins: [begins(ReleaseCreated)],
  changes: changedBy(ReleaseUpdated),
  ends: [endsWith(ReleaseDeleted, ['releaseId']), endsWith(ProjectDeleted, ['projectId'])],
});

export const releaseLinkLifetime = defineLifetime({
  kind: 'ReleaseLink',
  id: ['releaseLinkId'],
  begins: [begins(ReleaseLinkAdded)],
  changes: changedBy(ReleaseLinkUpdated),
  ends: [
    endsWith(ReleaseLinkRemoved, ['releaseLinkId']),
    endsWith(ReleaseDeleted, ['releaseId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});

export const releaseEvidenceLifetime = defineLifetime({
  kind: 'ReleaseEvidence',
  id: ['releaseEvidenceId'],
  begins: [begins(ReleaseEvidenceCreated)],
  ends: [endsWith(ReleaseDeleted, ['releaseId']), endsWith(ProjectDeleted, ['projectId'])],
});
