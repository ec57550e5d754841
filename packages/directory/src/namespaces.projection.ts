import {
  GroupCreated,
  GroupDeleted,
  GroupDeletionCancelled,
  GroupDeletionScheduled,
  type GroupEvent,
  GroupTransferred,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  UserCreated,
  UserDeleted,
  type UserEvent,
  UserUpdated,
} from '@forgelog/contracts/admin/users/user.events.ts';
import { type ProjectEvent, projectEvents } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  RepositoryMoved,
  type RepositoryMovedEvent,
} from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq, has } from '@forgelog/eventing/query.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import {
  type DirectoryNamespace,
  type DirectoryProject,
  directoryFormerPaths,
  directoryNamespaces,
  directoryProjects,
} from './collections.ts';
import { featureLevels, restrictions } from './feature-levels.ts';

/** Full paths depend on every level above, so namespaces and projects share a projection. */
type Handled =
  | Extract<UserEvent, { type: 'UserCreated' | 'UserUpdated' | 'UserDeleted' }>
  | Exclude<GroupEvent, { type: `GroupMember${string}` }>
  | ProjectEvent
  | RepositoryMovedEvent;

export const directoryNamespacesProjection = defineProjection<Handled>({
  name: 'directory-namespaces',
  collections: [directoryNamespaces, directoryProjects, directoryFormerPaths],
  handles: [
    UserCreated.type,
    UserUpdated.type,
    UserDeleted.type,
    GroupCreated.type,
    GroupUpdated.type,
    GroupTransferred.type,
    GroupDeletionScheduled.type,
    GroupDeletionCancelled.type,
    GroupDeleted.type,
    ...projectEvents.map(({ type }) => type),
    RepositoryMoved.type,
  ],
  async project(event, documents) {
    switch (event.type) {
      case 'UserCreated':
        return putNamespace(documents, {
          id: event.data.namespaceId,
          kind: 'user',
          parentId: null,
          ownerId: event.data.userId,
          name: event.data.name,
          path: event.data.username,
          visibility: 'public',
          avatarUrl: event.data.profile.avatar_url ?? null,
          projectCreationLevel: null,
          defaultBranchProtection: null,
          sharedRunnersSetting: null,
          deletionDueAt: null,
        });
      case 'UserUpdated': {
        const { username, name, profile } = event.data.changes;
        const avatarUrl = profile?.avatar_url;
        if (username === undefined && name === undefined && avatarUrl === undefined) return;
        const [namespace] = await documents.find(directoryNamespaces, {
          where: eq('ownerId', event.data.userId),
          limit: 1,
        });
        if (namespace)
          await changeNamespace(documents, withAvatar(namespace, avatarUrl), { path: username, name });
        return;
      }
      case 'UserDeleted':
        return deleteTree(documents, event.data.namespaceId);
      case 'GroupCreated': {
        const { groupId, parentId, name, path, visibility, settings } = event.data;
        return putNamespace(documents, {
          id: groupId,
          kind: 'group',
          parentId,
          ownerId: null,
          name,
          path,
          visibility,
          avatarUrl: settings.avatar_url ?? null,
          projectCreationLevel: settings.project_creation_level ?? null,
          defaultBranchProtection: settings.default_branch_protection ?? null,
          sharedRunnersSetting: settings.shared_runners_setting ?? null,
          deletionDueAt: null,
        });
      }
      case 'GroupUpdated': {
        const namespace = await documents.get(directoryNamespaces, event.data.groupId);
        if (!namespace) return;
        const { settings, ...changes } = event.data.changes;
        const projectCreationLevel = settings?.project_creation_level ?? namespace.projectCreationLevel;
        const defaultBranchProtection =
          settings?.default_branch_protection ?? namespace.defaultBranchProtection;
        const sharedRunnersSetting = settings?.shared_runners_setting ?? namespace.sharedRunnersSetting;
        const set = { projectCreationLevel, defaultBranchProtection, sharedRunnersSetting };
        const changed = withAvatar({ ...namespace, ...set }, settings?.avatar_url);
        return changeNamespace(documents, changed, changes);
      }
      case 'GroupTransferred':
        return transferGroup(documents, event.data);
      case 'GroupDeletionScheduled':
      case 'GroupDeletionCancelled': {
        const group = await documents.get(directoryNamespaces, event.data.groupId);
        const { deletionDueAt = null } = event.data.changes;
        if (group) documents.put(directoryNamespaces, { ...group, deletionDueAt });
        return;
      }
      case 'GroupDeleted':
        return deleteTree(documents, event.data.groupId);
      case 'ProjectCreated':
        return createProject(documents, event.data);
      case 'ProjectUpdated':
        return updateProject(documents, event.data);
      case 'ProjectTransferred':
        return transferProject(documents, event.data);
      case 'ProjectArchived':
      case 'ProjectUnarchived': {
        const project = await documents.get(directoryProjects, event.data.projectId);
        if (project)
          documents.put(directoryProjects, { ...project, archived: event.type === 'ProjectArchived' });
        return;
      }
      case 'ProjectDeletionScheduled':
      case 'ProjectDeletionCancelled': {
        const project = await documents.get(directoryProjects, event.data.projectId);
        const { deletionDueAt = null } = event.data.changes;
        if (project) documents.put(directoryProjects, { ...project, deletionDueAt });
        return;
      }
      case 'RepositoryMoved': {
        const { projectId, changes } = event.data;
        const project = await documents.get(directoryProjects, projectId);
        if (project) documents.put(directoryProjects, { ...project, storage: changes.storage! });
        return;
      }
      case 'ProjectDeleted':
        return documents.delete(directoryProjects, event.data.projectId);
      default:
        event satisfies never;
    }
  },
});

type Placed = Pick<
  DirectoryNamespace,
  | 'id'
  | 'kind'
  | 'parentId'
  | 'ownerId'
  | 'name'
  | 'path'
  | 'visibility'
  | 'avatarUrl'
  | 'projectCreationLevel'
  | 'defaultBranchProtection'
  | 'sharedRunnersSetting'
  | 'deletionDueAt'
>;

const withAvatar = (namespace: DirectoryNamespace, avatarUrl: string | null | undefined) =>
  avatarUrl === undefined ? namespace : { ...namespace, avatarUrl };

async function putNamespace(documents: ProjectionDocuments, placed: Placed): Promise<void> {
  const parent =
    placed.parentId === null ? undefined : await documents.get(directoryNamespaces, placed.parentId);
  const fullPath = parent ? `${parent.fullPath}/${placed.path}` : placed.path;
  documents.put(directoryNamespaces, {
    ...placed,
    fullPath,
    fullPathLower: fullPath.toLowerCase(),
    fullName: parent ? `${parent.fullName} / ${placed.name}` : placed.name,
    ancestors: [...(parent?.ancestors ?? []), placed.id],
  });
}

async function changeNamespace(
  documents: ProjectionDocuments,
  namespace: DirectoryNamespace,
  changes: { name?: string; path?: string; visibility?: string },
): Promise<void> {
  const { name = namespace.name, path = namespace.path, visibility = namespace.visibility } = changes;
  await putNamespace(documents, { ...namespace, name, path, visibility });
  if (name !== namespace.name || path !== namespace.path) await placeAnew(documents, namespace.id);
}

/** What is below a group follows it; `ceiling` is the highest visibility that it may have there. */
async function placeAnew(
  documents: ProjectionDocuments,
  namespaceId: number,
  ceiling: Visibility = 'public',
): Promise<void> {
  const below = await documents.findAll(directoryNamespaces, has('ancestors', namespaceId));
  // Parents before children.
  below.sort((a, b) => a.ancestors.length - b.ancestors.length);
  for (const one of below)
    if (one.id !== namespaceId)
      await putNamespace(documents, { ...one, visibility: lower(one.visibility, ceiling) });
  for (const project of await documents.findAll(directoryProjects, has('ancestors', namespaceId))) {
    const parent = await documents.get(directoryNamespaces, project.namespaceId);
    moveProject(documents, project, {
      ...names(parent, project.name, project.path),
      ancestors: parent?.ancestors ?? project.ancestors,
      visibility: lower(project.visibility, ceiling),
    });
  }
}

const OPENNESS = ['private', 'internal', 'public'];
const lower = (visibility: string, ceiling: string) =>
  OPENNESS.indexOf(visibility) > OPENNESS.indexOf(ceiling) ? ceiling : visibility;

async function transferGroup(
  documents: ProjectionDocuments,
  { groupId, changes }: Extract<GroupEvent, { type: 'GroupTransferred' }>['data'],
): Promise<void> {
  const group = await documents.get(directoryNamespaces, groupId);
  if (!group) return;
  const { parentId = group.parentId, visibility = group.visibility } = changes;
  const isLost = parentId !== null && !(await documents.get(directoryNamespaces, parentId));
  // Its new parent ended at the same time; a policy ends it too.
  if (isLost) return deleteTree(documents, groupId);
  await putNamespace(documents, { ...group, parentId, visibility });
  await placeAnew(documents, groupId, changes.visibility);
}

function moveProject(
  documents: ProjectionDocuments,
  project: DirectoryProject,
  changes: Partial<DirectoryProject> & { fullPathLower: string },
): void {
  documents.put(directoryProjects, { ...project, ...changes });
  const before = project.fullPathLower;
  if (changes.fullPathLower !== before)
    documents.put(directoryFormerPaths, { fullPathLower: before, projectId: project.id });
}

function names(parent: DirectoryNamespace | undefined, name: string, path: string) {
  const fullPath = parent ? `${parent.fullPath}/${path}` : path;
  return {
    name,
    path,
    fullPath,
    fullPathLower: fullPath.toLowerCase(),
    fullName: parent ? `${parent.fullName} / ${name}` : name,
  };
}

async function createProject(
  documents: ProjectionDocuments,
  data: Extract<ProjectEvent, { type: 'ProjectCreated' }>['data'],
): Promise<void> {
  const parent = await documents.get(directoryNamespaces, data.namespaceId);
  const features = featureLevels(data.settings);
  documents.put(directoryProjects, {
    id: data.projectId,
    namespaceId: data.namespaceId,
    ownerId: data.ownerId,
    creatorId: data.creatorId,
    visibility: data.visibility,
    archived: false,
    deletionDueAt: null,
    defaultBranch: data.defaultBranch,
    storage: data.storage,
    requestAccessEnabled: data.settings.request_access_enabled ?? true,
    forkedFromId: data.forkedFromProjectId,
    features,
    restricted: restrictions(features),
    ancestors: parent?.ancestors ?? [data.namespaceId],
    ...names(parent, data.name, data.path),
  });
}

async function updateProject(
  documents: ProjectionDocuments,
  { projectId, changes }: Extract<ProjectEvent, { type: 'ProjectUpdated' }>['data'],
): Promise<void> {
  const project = await documents.get(directoryProjects, projectId);
  if (!project) return;
  const parent = await documents.get(directoryNamespaces, project.namespaceId);
  const features = {
    ...(project.features as ReturnType<typeof featureLevels>),
    ...featureLevels(changes.settings ?? {}, {}),
  };
  moveProject(documents, project, {
    ...names(parent, changes.name ?? project.name, changes.path ?? project.path),
    visibility: changes.visibility ?? project.visibility,
    defaultBranch: changes.defaultBranch === undefined ? project.defaultBranch : changes.defaultBranch,
    forkedFromId:
      changes.forkedFromProjectId === undefined ? project.forkedFromId : changes.forkedFromProjectId,
    requestAccessEnabled: changes.settings?.request_access_enabled ?? project.requestAccessEnabled,
    features,
    restricted: restrictions(features),
  });
}

async function transferProject(
  documents: ProjectionDocuments,
  { projectId, changes }: Extract<ProjectEvent, { type: 'ProjectTransferred' }>['data'],
): Promise<void> {
  const project = await documents.get(directoryProjects, projectId);
  if (!project) return;
  const { namespaceId = project.namespaceId } = changes;
  const parent = await documents.get(directoryNamespaces, namespaceId);
  moveProject(documents, project, {
    ...changes,
    ancestors: parent?.ancestors ?? [namespaceId],
    ...names(parent, project.name, project.path),
  });
}

/** Hides everything below at once; policies delete it afterwards. */
async function deleteTree(documents: ProjectionDocuments, namespaceId: number): Promise<void> {
  await documents.deleteAll(directoryNamespaces, has('ancestors', namespaceId));
  await documents.deleteAll(directoryProjects, has('ancestors', namespaceId));
}
