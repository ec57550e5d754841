import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  DEFAULT_STORAGE,
  ProjectCreated,
  ProjectDeleted,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import { refLifetime } from '@forgelog/contracts/repo/repositories/ref.lifetime.ts';
import { RefUpdated, RepositoryMoved } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';

/** Every ref of every repository according to the log, for the reconciler. */
export const repositoryRefs = defineCollection({
  name: 'repository_refs',
  key: 'key',
  fields: {
    /** `<project id> <full ref name>`. */
    key: 'text',
    projectId: 'integer',
    ref: 'text',
    oid: 'text',
  },
  indexes: [['projectId', 'ref']],
  holds: { lifetime: refLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

/** The last event of each storage, to see whether a folder of repositories is as old as the log. */
export const repositoryLogEnd = defineCollection({
  name: 'repository_log_end',
  key: 'storage',
  fields: { storage: 'text', eventId: 'text' },
  indexes: [],
});

/** The repositories that are not in the default storage, or were in another before. */
export const repositoryPlaces = defineCollection({
  name: 'repository_places',
  key: 'projectId',
  fields: { projectId: 'integer', storage: 'text' },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

type Handled = EventOf<
  typeof ProjectCreated | typeof RefUpdated | typeof RepositoryMoved | typeof ProjectDeleted
>;

export const repositoryRefsProjection = defineProjection<Handled>({
  name: 'repository-refs',
  collections: [repositoryRefs, repositoryLogEnd, repositoryPlaces],
  handles: [ProjectCreated.type, RefUpdated.type, RepositoryMoved.type, ProjectDeleted.type],
  async project(event, documents) {
    const { projectId } = event.data;
    switch (event.type) {
      case 'ProjectCreated': {
        const { storage } = event.data;
        if (storage !== DEFAULT_STORAGE) documents.put(repositoryPlaces, { projectId, storage });
        return;
      }
      case 'RefUpdated': {
        const { ref, newOid } = event.data;
        const place = await documents.get(repositoryPlaces, projectId);
        documents.put(repositoryLogEnd, { storage: place?.storage ?? DEFAULT_STORAGE, eventId: event.id });
        const key = `${projectId} ${ref}`;
        if (newOid === ZERO_OID) documents.delete(repositoryRefs, key);
        else documents.put(repositoryRefs, { key, projectId, ref, oid: newOid });
        return;
      }
      case 'RepositoryMoved': {
        const { changes, previous } = event.data;
        const storage = changes.storage!;
        documents.put(repositoryPlaces, { projectId, storage });
        for (const touched of [storage, previous!.storage!])
          documents.put(repositoryLogEnd, { storage: touched, eventId: event.id });
        return;
      }
      case 'ProjectDeleted': {
        const place = await documents.get(repositoryPlaces, projectId);
        const storage = place?.storage ?? event.data.storage;
        return documents.put(repositoryLogEnd, { storage, eventId: event.id });
      }
      default:
        event satisfies never;
    }
  },
});
