import {
  GroupCreated,
  GroupDeleted,
  GroupDeletionCancelled,
  GroupDeletionScheduled,
  GroupTransferred,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  ProjectArchived,
  ProjectCreated,
  ProjectDeleted,
  ProjectDeletionCancelled,
  ProjectDeletionScheduled,
  ProjectUnarchived,
  ProjectUpdated,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type AuditEntry,
  type AuditRule,
  audited,
  changeOf,
  flatChanges,
  type KnownNames,
  type KnownPlace,
} from './audit-rule.ts';

type Say = (place: KnownPlace) => Omit<AuditEntry, 'entity' | 'target'>;

/** Describes a change of a group or project itself. */
async function ofGroup(id: number, known: KnownNames, say: Say): Promise<AuditEntry> {
  const place = await known.group(id);
  return {
    entity: { type: 'Group', id },
    target: { type: 'Group', id, details: place.fullPath },
    ...say(place),
  };
}

async function ofProject(id: number, known: KnownNames, say: Say): Promise<AuditEntry> {
  const place = await known.project(id);
  return {
    entity: { type: 'Project', id },
    target: { type: 'Project', id, details: place.fullPath },
    ...say(place),
  };
}

function changed(what: string, changes: Readonly<Record<string, unknown>>): Say {
  const flat = flatChanges(changes);
  return ({ name, visibility, fullPath }) => ({
    message: `Changed ${what} ${fullPath}: ${Object.keys(flat).join(', ')}`,
    ...changeOf(flat, { name, visibility }),
  });
}

const marked =
  (what: string, { deletionDueAt }: { deletionDueAt?: string | null | undefined }): Say =>
  ({ fullPath }) => ({ message: `Marked ${what} ${fullPath} for deletion at ${deletionDueAt}` });

export const placeAuditRules: readonly AuditRule[] = [
  audited(GroupCreated, async ({ data: { groupId: id, fullPath } }) => ({
    entity: { type: 'Group', id },
    target: { type: 'Group', id, details: fullPath },
    message: `Created group ${fullPath}`,
    add: 'group',
  })),
  audited(GroupUpdated, ({ data: { groupId, changes } }, known) =>
    ofGroup(groupId, known, changed('group', changes)),
  ),
  audited(GroupTransferred, ({ data: { groupId, fullPath: to } }, known) =>
    ofGroup(groupId, known, ({ fullPath: from }) => ({
      ...{ message: `Transferred from ${from} to ${to}`, change: 'parent', from, to },
    })),
  ),
  audited(GroupDeletionScheduled, ({ data: { groupId, changes } }, known) =>
    ofGroup(groupId, known, marked('group', changes)),
  ),
  audited(GroupDeletionCancelled, ({ data: { groupId } }, known) =>
    ofGroup(groupId, known, ({ fullPath }) => ({ message: `Restored group ${fullPath}` })),
  ),
  audited(GroupDeleted, ({ data: { groupId } }, known) =>
    ofGroup(groupId, known, ({ fullPath }) => ({ message: `Deleted group ${fullPath}` })),
  ),
  audited(ProjectCreated, async ({ data: { projectId: id, fullPath } }) => ({
    entity: { type: 'Project', id },
    target: { type: 'Project', id, details: fullPath },
    message: `Created project ${fullPath}`,
    add: 'project',
  })),
  audited(ProjectUpdated, ({ data: { projectId, changes } }, known) =>
    ofProject(projectId, known, changed('project', changes)),
  ),
  audited(ProjectArchived, ({ data: { projectId } }, known) =>
    ofProject(projectId, known, ({ fullPath }) => ({
      message: `Archived project ${fullPath}`,
      change: 'archived',
      from: 'false',
      to: 'true',
    })),
  ),
  audited(ProjectUnarchived, ({ data: { projectId } }, known) =>
    ofProject(projectId, known, ({ fullPath }) => ({
      message: `Unarchived project ${fullPath}`,
      change: 'archived',
      from: 'true',
      to: 'false',
    })),
  ),
  audited(ProjectDeletionScheduled, ({ data: { projectId, changes } }, known) =>
    ofProject(projectId, known, marked('project', changes)),
  ),
  audited(ProjectDeletionCancelled, ({ data: { projectId } }, known) =>
    ofProject(projectId, known, ({ fullPath }) => ({ message: `Restored project ${fullPath}` })),
  ),
  audited(ProjectDeleted, ({ data: { projectId } }, known) =>
    ofProject(projectId, known, ({ fullPath }) => ({ message: `Deleted project ${fullPath}` })),
  ),
];
