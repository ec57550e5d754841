import { type ReleaseEvent, releaseEvents } from '@forgelog/contracts/repo/releases/release.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { releaseEvidences, releaseLinks, releases } from './releases.collection.ts';

export const releasesProjection = defineProjection<ReleaseEvent>({
  name: 'releases',
  collections: [releases, releaseLinks, releaseEvidences],
  handles: releaseEvents.map(({ type }) => type),
  async project(event, documents) {
    const { releaseId, projectId } = event.data;
    switch (event.type) {
      case 'ReleaseCreated': {
        const { tagName, userId: authorId, name, description, releasedAt, milestoneIds } = event.data;
        return documents.put(releases, {
          ...{ id: releaseId, projectId, tagName, authorId, name, description, releasedAt },
          ...{ milestoneIds, evidenceDueAt: releasedAt },
          createdIn: event.position,
          createdAt: event.time,
          updatedAt: event.time,
        });
      }
      case 'ReleaseUpdated': {
        const row = await documents.get(releases, releaseId);
        if (!row) return;
        const changed = { ...row, ...event.data.changes, updatedAt: event.time };
        const evidenceDueAt = row.evidenceDueAt === null ? null : changed.releasedAt;
        return documents.put(releases, { ...changed, evidenceDueAt });
      }
      case 'ReleaseDeleted':
        return documents.delete(releases, releaseId);
      case 'ReleaseEvidenceCreated': {
        const { releaseEvidenceId: id, sha, snapshot } = event.data;
        documents.put(releaseEvidences, { id, releaseId, projectId, sha, snapshot, collectedAt: event.time });
        if (await documents.get(releases, releaseId))
          documents.amend(releases, releaseId, { evidenceDueAt: null });
        return;
      }
      case 'ReleaseLinkAdded': {
        const { releaseLinkId: id, name, url, filepath, linkType } = event.data;
        return documents.put(releaseLinks, { id, releaseId, projectId, name, url, filepath, linkType });
      }
      case 'ReleaseLinkUpdated': {
        const { releaseLinkId, changes } = event.data;
        const row = await documents.get(releaseLinks, releaseLinkId);
        if (row) documents.put(releaseLinks, { ...row, ...changes });
        return;
      }
      case 'ReleaseLinkRemoved':
        return documents.delete(releaseLinks, event.data.releaseLinkId);
      default:
        event satisfies never;
    }
  },
});
