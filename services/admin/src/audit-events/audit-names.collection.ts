import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { UserEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import type { ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';
import type { KnownNames, KnownPlace } from './audit-rule.ts';

/*
 * The audit's own copy of names, because records are renamed and deleted later. Nothing is removed from it:
 * consequences of a deletion are audited after it.
 */

export const auditUsers = defineCollection({
  name: 'audit_users',
  key: 'id',
  fields: { id: 'integer', name: 'text', username: 'text' },
  indexes: [],
});

/** Groups and projects in their tree; full paths are computed on demand. */
export const auditPlaces = defineCollection({
  name: 'audit_places',
  key: 'key',
  fields: {
    /** `group-<id>` or `project-<id>`. */
    key: 'text',
    /** Key of the parent group. */
    parent: 'text?',
    /** Owner of the personal namespace, if it is in one. */
    ownerId: 'integer?',
    name: 'text',
    path: 'text',
    visibility: 'text',
  },
  indexes: [],
});

const groupKey = (id: number) => `group-${id}`;
const projectKey = (id: number) => `project-${id}`;

const MAX_DEPTH = 50;

export function knownNames(documents: ProjectionDocuments): KnownNames {
  async function place(key: string): Promise<KnownPlace> {
    const own = await documents.get(auditPlaces, key);
    const paths: string[] = [];
    for (let next = own; next && paths.length < MAX_DEPTH; ) {
      paths.unshift(next.path);
      if (next.ownerId !== null) {
        // A personal namespace has the current username of its owner.
        paths.unshift((await documents.get(auditUsers, next.ownerId))?.username ?? '');
        break;
      }
      next = next.parent === null ? undefined : await documents.get(auditPlaces, next.parent);
    }
    return { name: own?.name ?? '', visibility: own?.visibility ?? '', fullPath: paths.join('/') };
  }

  return {
    async user(id) {
      const user = await documents.get(auditUsers, id);
      return { name: user?.name ?? '', username: user?.username ?? '' };
    },
    group: (id) => place(groupKey(id)),
    project: (id) => place(projectKey(id)),
  };
}

/** Updates the copy from an event; call it after describing the event. */
export async function recordNames(
  event: Recorded<UserEvent | GroupEvent | ProjectEvent>,
  documents: ProjectionDocuments,
): Promise<void> {
  switch (event.type) {
    case 'UserCreated': {
      const { userId: id, name, username } = event.data;
      return documents.put(auditUsers, { id, name, username });
    }
    case 'UserUpdated': {
      const user = await documents.get(auditUsers, event.data.userId);
      const { name, username } = event.data.changes;
      if (user)
        documents.put(auditUsers, { ...user, name: name ?? user.name, username: username ?? user.username });
      return;
    }
    case 'GroupCreated': {
      const { groupId, parentId, name, path, visibility } = event.data;
      const parent = parentId === null ? null : groupKey(parentId);
      const key = groupKey(groupId);
      return documents.put(auditPlaces, { key, parent, ownerId: null, name, path, visibility });
    }
    case 'ProjectCreated': {
      const { projectId, namespaceId, ownerId, name, path, visibility } = event.data;
      const parent = ownerId === null ? groupKey(namespaceId) : null;
      const key = projectKey(projectId);
      return documents.put(auditPlaces, { key, parent, ownerId, name, path, visibility });
    }
    case 'GroupTransferred': {
      const { groupId, changes } = event.data;
      const place = await documents.get(auditPlaces, groupKey(groupId));
      if (!place || changes.parentId === undefined) return;
      const parent = changes.parentId === null ? null : groupKey(changes.parentId);
      const visibility = changes.visibility ?? place.visibility;
      return documents.put(auditPlaces, { ...place, parent, visibility });
    }
    case 'ProjectTransferred': {
      const { projectId, ownerId, changes } = event.data;
      const place = await documents.get(auditPlaces, projectKey(projectId));
      if (!place || changes.namespaceId === undefined) return;
      const parent = ownerId === null ? groupKey(changes.namespaceId) : null;
      const visibility = changes.visibility ?? place.visibility;
      return documents.put(auditPlaces, { ...place, parent, ownerId, visibility });
    }
    case 'GroupUpdated':
      return changePlace(documents, groupKey(event.data.groupId), event.data.changes);
    case 'ProjectUpdated':
      return changePlace(documents, projectKey(event.data.projectId), event.data.changes);
  }
}

async function changePlace(
  documents: ProjectionDocuments,
  key: string,
  { name, path, visibility }: { name?: string; path?: string; visibility?: string },
): Promise<void> {
  const place = await documents.get(auditPlaces, key);
  if (!place) return;
  documents.put(auditPlaces, {
    ...place,
    name: name ?? place.name,
    path: path ?? place.path,
    visibility: visibility ?? place.visibility,
  });
}
