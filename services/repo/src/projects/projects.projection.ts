import {
  GroupCreated,
  GroupDeleted,
  type GroupEvent,
  GroupTransferred,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted, type UserEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import { type ProjectEvent, projectEvents } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ProjectStarEvent,
  projectStarEvents,
} from '@forgelog/contracts/repo/projects/project-star.events.ts';
import {
  RefUpdated,
  type RepositoryEvent,
  RepositoryForked,
  RepositoryMeasured,
  RepositoryMoved,
} from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { type Condition, eq, has } from '@forgelog/eventing/query.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import { laterActivity } from './activity.ts';
import { forgetOrigin, moveFork } from './forks-count.ts';
import { type CountedIssueEvent, countedIssueEvents, countIssue } from './open-issues.ts';
import { type CountedPackageEvent, countedPackageEvents, countPackageFiles } from './package-sizes.ts';
import {
  type ProjectDocument,
  projectGroups,
  projectIssues,
  projectPackageFiles,
  projectStars,
  projects,
} from './project.collection.ts';
import { lowerOf } from './project.decider.ts';
import { answeredSettings, type ProjectSettings } from './project-settings.rules.ts';
import { countStar, uncountStars } from './star.query.ts';

type Handled =
  | ProjectEvent
  | Exclude<RepositoryEvent, { type: 'PushReceived' }>
  | Extract<GroupEvent, { type: 'GroupCreated' | 'GroupTransferred' | 'GroupDeleted' }>
  | Extract<UserEvent, { type: 'UserDeleted' }>
  | ProjectStarEvent
  | CountedIssueEvent
  | CountedPackageEvent;

export const projectsProjection = defineProjection<Handled>({
  name: 'projects',
  collections: [projects, projectGroups, projectIssues, projectPackageFiles, projectStars],
  handles: [
    ...projectEvents.map(({ type }) => type),
    RefUpdated.type,
    RepositoryForked.type,
    RepositoryMeasured.type,
    RepositoryMoved.type,
    GroupCreated.type,
    GroupTransferred.type,
    GroupDeleted.type,
    UserDeleted.type,
    ...projectStarEvents.map(({ type }) => type),
    ...countedIssueEvents,
    ...countedPackageEvents,
  ],
  async project(event, documents) {
    switch (event.type) {
      case 'ProjectCreated':
        return create(documents, event.data, event.time);
      case 'ProjectUpdated': {
        const { settings, forkedFromProjectId, ...changes } = event.data.changes;
        if (forkedFromProjectId !== undefined)
          await linkFork(documents, event.data.projectId, forkedFromProjectId);
        return change(documents, event.data.projectId, (project) => ({
          ...changes,
          ...(settings ? settingFields({ ...(project.settings as object), ...settings }) : {}),
          nameLower: (changes.name ?? project.name).toLowerCase(),
          pathLower: (changes.path ?? project.path).toLowerCase(),
          updatedAt: event.time,
        }));
      }
      case 'ProjectTransferred': {
        const { projectId, changes } = event.data;
        const above = changes.namespaceId && (await documents.get(projectGroups, changes.namespaceId));
        return change(documents, projectId, () => ({
          ...changes,
          ancestors: above ? above.ancestors : [],
          updatedAt: event.time,
        }));
      }
      case 'ProjectArchived':
      case 'ProjectUnarchived':
        return change(documents, event.data.projectId, () => ({
          archived: event.type === 'ProjectArchived',
          updatedAt: event.time,
        }));
      case 'ProjectDeletionScheduled':
      case 'ProjectDeletionCancelled': {
        const { deletionDueAt = null } = event.data.changes;
        const markedOn = deletionDueAt === null ? null : event.time.slice(0, 10);
        return change(documents, event.data.projectId, () => ({ deletionDueAt, markedOn }));
      }
      case 'ProjectDeleted':
        await linkFork(documents, event.data.projectId, null);
        await forgetOrigin(documents, event.data.projectId);
        return documents.delete(projects, event.data.projectId);
      case 'RefUpdated': {
        const { projectId, ref, newOid } = event.data;
        return change(documents, projectId, (project) => ({
          hasBranches: project.hasBranches || (ref.startsWith('refs/heads/') && newOid !== ZERO_OID),
          lastRefEvent: event.id,
          lastActivityAt: laterActivity(project.lastActivityAt, event.time),
        }));
      }
      case 'RepositoryForked':
        return change(documents, event.data.projectId, () => ({ importStatus: 'finished' }));
      case 'RepositoryMeasured': {
        const { projectId, ...measured } = event.data;
        return change(documents, projectId, ({ packagesSize }) => ({
          ...measured,
          storageSize: measured.repositorySize + packagesSize,
        }));
      }
      case 'RepositoryMoved': {
        const { projectId, changes } = event.data;
        return change(documents, projectId, () => ({ repositoryStorage: changes.storage! }));
      }
      case 'GroupCreated': {
        const { groupId, parentId } = event.data;
        const parent = parentId === null ? undefined : await documents.get(projectGroups, parentId);
        return documents.put(projectGroups, {
          id: groupId,
          ancestors: [...(parent?.ancestors ?? []), groupId],
        });
      }
      case 'GroupTransferred':
        return moveGroup(documents, event.data);
      case 'GroupDeleted':
        return hideAll(documents, has('ancestors', event.data.groupId));
      case 'ProjectStarred':
      case 'ProjectUnstarred':
        return countStar(documents, event);
      case 'UserDeleted':
        await uncountStars(documents, event.data.userId);
        return hideAll(documents, eq('namespaceId', event.data.namespaceId));
      case 'IssueOpened':
      case 'IssueUpdated':
      case 'IssueClosed':
      case 'IssueReopened':
      case 'IssueDeleted':
        return countIssue(documents, event);
      case 'PackageFileCreated':
      case 'PackageFileDeleted':
      case 'PackageDeleted':
        return countPackageFiles(documents, event);
      default:
        event satisfies never;
    }
  },
});

async function create(
  documents: ProjectionDocuments,
  data: Extract<ProjectEvent, { type: 'ProjectCreated' }>['data'],
  time: string,
): Promise<void> {
  const { projectId: id, fullPath: _, settings, storage: repositoryStorage, ...rest } = data;
  const { forkedFromProjectId: forkedFromId, forkedAtRevision: __, ...fields } = rest;
  const known = await documents.get(projects, id);
  await moveFork(documents, known?.forkedFromId ?? null, forkedFromId);
  const above = await documents.get(projectGroups, data.namespaceId);
  documents.put(projects, {
    id,
    ...fields,
    ...settingFields(settings),
    repositoryStorage,
    forkedFromId,
    importStatus: forkedFromId === null ? 'none' : 'started',
    ancestors: above?.ancestors ?? [],
    nameLower: data.name.toLowerCase(),
    pathLower: data.path.toLowerCase(),
    archived: false,
    deletionDueAt: null,
    markedOn: null,
    gone: false,
    hasBranches: false,
    repositorySize: 0,
    packagesSize: 0,
    storageSize: 0,
    commitCount: 0,
    readmePath: null,
    lastRefEvent: null,
    starCount: 0,
    forksCount: 0,
    openIssues: 0,
    openPublicIssues: 0,
    createdAt: time,
    updatedAt: time,
    lastActivityAt: time,
  });
}

/** What is below moves along, and is no more open than the group has become. */
async function moveGroup(
  documents: ProjectionDocuments,
  { groupId, changes }: Extract<GroupEvent, { type: 'GroupTransferred' }>['data'],
): Promise<void> {
  const { parentId, visibility: ceiling = 'public' } = changes;
  const group = await documents.get(projectGroups, groupId);
  if (!group || parentId === undefined) return;
  const above = parentId === null ? undefined : await documents.get(projectGroups, parentId);
  const depth = group.ancestors.length - 1;
  const moved = (ancestors: readonly number[]) => [...(above?.ancestors ?? []), ...ancestors.slice(depth)];
  const below = has('ancestors', groupId);
  for (const one of await documents.findAll(projectGroups, below))
    documents.put(projectGroups, { ...one, ancestors: moved(one.ancestors) });
  for (const project of await documents.findAll(projects, below)) {
    const visibility = lowerOf(project.visibility as Visibility, ceiling);
    documents.put(projects, { ...project, visibility, ancestors: moved(project.ancestors) });
  }
}

async function linkFork(documents: ProjectionDocuments, id: number, originId: number | null): Promise<void> {
  const project = await documents.get(projects, id);
  if (!project) return;
  await moveFork(documents, project.forkedFromId, originId);
  documents.put(projects, { ...project, forkedFromId: originId });
}

async function change(
  documents: ProjectionDocuments,
  id: number,
  changes: (project: ProjectDocument) => Partial<ProjectDocument>,
): Promise<void> {
  const project = await documents.get(projects, id);
  if (project) documents.put(projects, { ...project, ...changes(project) });
}

/** The settings that lists filter by. */
function settingFields(stored: ProjectSettings) {
  const settings = answeredSettings(stored) as Record<string, string> & { topics: string[] };
  return {
    settings: stored,
    topics: settings.topics,
    issuesLevel: settings.issues_access_level!,
    mergeRequestsLevel: settings.merge_requests_access_level!,
  };
}

async function hideAll(documents: ProjectionDocuments, where: Condition): Promise<void> {
  for (const project of await documents.findAll(projects, where))
    documents.put(projects, { ...project, gone: true });
}
