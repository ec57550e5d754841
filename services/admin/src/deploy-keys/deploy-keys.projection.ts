import {
  type DeployKeyEvent,
  deployKeyEvents,
} from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import {
  deployKeyLifetime,
  deployKeyProjectLifetime,
} from '@forgelog/contracts/admin/deploy-keys/deploy-key.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

export const deployKeys = defineCollection({
  name: 'deploy_keys',
  key: 'id',
  fields: {
    id: 'integer',
    fingerprint: 'text',
    title: 'text',
    key: 'text',
    sha256: 'text',
    md5: 'text',
    isPublic: 'boolean',
    /** The user who added it; null where the system did. */
    addedBy: 'integer?',
    createdAt: 'text',
  },
  indexes: [['isPublic'], ['sha256'], ['md5']],
  holds: { lifetime: deployKeyLifetime },
});

export type DeployKeyRow = DocumentOf<typeof deployKeys>;

/** Projects that have a key enabled. Each stays until its event says that it ended. */
export const deployKeyProjects = defineCollection({
  name: 'deploy_key_projects',
  key: 'key',
  fields: {
    key: 'text',
    deployKeyId: 'integer',
    projectId: 'integer',
    canPush: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'deployKeyId'], ['deployKeyId']],
  holds: { lifetime: deployKeyProjectLifetime },
});

export type DeployKeyProjectRow = DocumentOf<typeof deployKeyProjects>;

export const deployKeyProjectKey = (deployKeyId: number, projectId: number) => `${deployKeyId}-${projectId}`;

export const deployKeysProjection = defineProjection<DeployKeyEvent>({
  name: 'deploy-keys',
  collections: [deployKeys, deployKeyProjects],
  handles: deployKeyEvents.map(({ type }) => type),
  async project(event, documents) {
    const { deployKeyId: id } = event.data;
    switch (event.type) {
      case 'DeployKeyCreated': {
        const { deployKeyId: _, keyIds, ...key } = event.data;
        const [sha256 = '', md5 = ''] = keyIds;
        const addedBy = event.metadata.actorId;
        return documents.put(deployKeys, { id, ...key, sha256, md5, addedBy, createdAt: event.time });
      }
      case 'DeployKeyUpdated': {
        const row = await documents.get(deployKeys, id);
        if (row) documents.put(deployKeys, { ...row, ...event.data.changes });
        return;
      }
      case 'DeployKeyDeleted':
        return documents.delete(deployKeys, id);
      case 'DeployKeyEnabledForProject': {
        const { projectId, canPush } = event.data;
        const key = deployKeyProjectKey(id, projectId);
        const times = { createdAt: event.time, updatedAt: event.time };
        return documents.put(deployKeyProjects, { key, deployKeyId: id, projectId, canPush, ...times });
      }
      case 'DeployKeyAccessUpdated': {
        const row = await documents.get(deployKeyProjects, deployKeyProjectKey(id, event.data.projectId));
        if (row) documents.put(deployKeyProjects, { ...row, ...event.data.changes, updatedAt: event.time });
        return;
      }
      case 'DeployKeyDisabledForProject':
        return documents.delete(deployKeyProjects, deployKeyProjectKey(id, event.data.projectId));
      default:
        event satisfies never;
    }
  },
});
