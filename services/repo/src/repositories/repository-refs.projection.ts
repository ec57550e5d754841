import { ProjectDeleted } from '@forgelog/contracts/repo/project.events.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repository.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { EventOf } from '@forgelog/eventing/event-catalogue.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';
import { ZERO_OID } from '../git/object-id.ts';

/** Every ref of every repository, as the log has it: what the reconciler holds git against. */
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
});

/** The event that changed any of them last: whether a folder of repositories is as old as the log. */
export const repositoryLogEnd = defineCollection({
  name: 'repository_log_end',
  key: 'name',
  fields: { name: 'text', eventId: 'text' },
  indexes: [],
});
export const LOG_END = 'refs';

const MANY = 1_000_000;

export const repositoryRefsProjection = defineProjection<EventOf<typeof RefUpdated | typeof ProjectDeleted>>({
  name: 'repository-refs',
  collections: [repositoryRefs, repositoryLogEnd],
  handles: [RefUpdated.type, ProjectDeleted.type],
  async project(event, documents) {
    const { projectId } = event.data;
    documents.put(repositoryLogEnd, { name: LOG_END, eventId: event.id });
    switch (event.type) {
      case 'RefUpdated': {
        const { ref, newOid } = event.data;
        const key = `${projectId} ${ref}`;
        if (newOid === ZERO_OID) documents.delete(repositoryRefs, key);
        else documents.put(repositoryRefs, { key, projectId, ref, oid: newOid });
        return;
      }
      case 'ProjectDeleted': {
        const where = eq('projectId', projectId);
        for (const { key } of await documents.find(repositoryRefs, { where, limit: MANY }))
          documents.delete(repositoryRefs, key);
        return;
      }
      default:
        event satisfies never;
    }
  },
});
