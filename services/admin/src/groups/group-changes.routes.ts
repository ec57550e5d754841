import {
  createGroup,
  deleteGroup,
  restoreGroup,
  updateGroup,
} from '@forgelog/contracts/admin/groups/group.api.ts';
import type { GroupSettings } from '@forgelog/contracts/admin/groups/group.events.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { NameTakenError, routeStream } from '@forgelog/directory/name.decider.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { allowedVisibility, requireVisibility, settingNow } from '@forgelog/directory/settings.ts';
import { accepted } from '@forgelog/service-kit/answer.ts';
import { requireAvatar, storeAvatar } from '@forgelog/service-kit/avatar.ts';
import { askedDeletion, type Deletion } from '@forgelog/service-kit/deletion.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type GroupCommand, groupDecider, groupStream } from './group.decider.ts';
import { createGroupDetail } from './group-caller.view.ts';
import { highestBelow, parentForSubgroup, requireMayCreateGroups } from './group-role.access.ts';
import { groups } from './groups.projection.ts';

const TAKEN = { path: ['has already been taken'] };

const PROJECT_CREATION: Readonly<Record<number, 'noone' | 'maintainer'>> = { 0: 'noone', 1: 'maintainer' };

export function groupChangeRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, directory, objects, readStore } = ports;
  const names = createNames(ports);
  const detail = createGroupDetail(ports);

  /** The view of an owner; only owners create and change groups. */
  async function detailOf(id: number, principal: Principal) {
    const row = await readStore.get(groups, id);
    if (!row) throw new Rejection('not_found', { what: 'Group' });
    return detail({ row, principal, level: AccessLevel.owner, wishes: {} });
  }

  const adjourned = async () => ({
    clock: ports.clock,
    days: await settingNow(ports, 'deletion_adjourned_period'),
  });

  /** What the instance sets for new groups; nothing where that is the default of groups. */
  async function usualSettings() {
    const level = PROJECT_CREATION[await settingNow(ports, 'default_project_creation')];
    return level === undefined ? {} : { project_creation_level: level };
  }

  return [
    implement(createGroup, async ({ params, caller, metadata }) => {
      requireAvatar(params.avatar);
      const { name, path, parent_id } = params;
      const parent = parent_id === undefined ? null : await parentForSubgroup(parent_id, caller, ports);
      if (parent === null) await requireMayCreateGroups(caller, ports);
      const draft = {
        type: 'CreateGroup' as const,
        ...{ parent, name, path },
        creatorId: caller.userId,
        description: params.description ?? '',
        visibility: await allowedVisibility(ports, {
          ...{ wanted: params.visibility, isAdmin: caller.isAdmin, fallback: 'default_group_visibility' },
        }),
        settings: { ...(await usualSettings()), ...settingsOf(params) },
      };
      // Validate before reserving an id and claiming the path.
      groupDecider.decide({ ...draft, groupId: 0 }, groupDecider.initialState);
      const take = [routeStream(parent?.id ?? null, path)];
      await names.requireFree(take).catch(refuseTaken('group_not_saved'));
      const groupId = await ids.next('namespace');
      const avatar_url = await storeAvatar(objects, { kind: 'group', id: groupId }, params.avatar);
      const settings = { ...draft.settings, ...(avatar_url && { avatar_url }) };
      await names
        .claimed({ kind: 'group', id: groupId }, { take }, metadata, (at) =>
          commands.handle(groupDecider, groupStream(groupId), { ...draft, settings, groupId }, metadata, {
            at,
          }),
        )
        .catch(refuseTaken('group_not_saved'));
      return detailOf(groupId, caller);
    }),

    implement(updateGroup, async ({ params, group, caller, metadata }) => {
      const { id: groupId, parentId, path: oldPath } = group.group;
      const avatar_url = await storeAvatar(objects, { kind: 'group', id: groupId }, params.avatar);
      const settings = { ...settingsOf(params), ...(avatar_url !== undefined && { avatar_url }) };
      const { name, description, visibility } = params;
      const { visibility: now } = group.group;
      await requireVisibility(ports, { wanted: visibility, now, isAdmin: caller.isAdmin });
      // An unchanged path needs no claim.
      const path = params.path === oldPath ? undefined : params.path;
      const parent = parentId === null ? undefined : await directory.namespace(parentId);
      const command: GroupCommand = {
        type: 'UpdateGroup',
        groupId,
        changes: { name, path, description, visibility, settings },
        parentVisibility: (parent?.visibility as GroupVisibility | undefined) ?? null,
        below: await highestBelow(groupId, readStore),
      };
      const stream = groupStream(groupId);
      const { state } = await commands.load(groupDecider, stream);
      groupDecider.decide(command, state);
      if (path === undefined) await commands.handle(groupDecider, stream, command, metadata);
      else {
        const holder = { kind: 'group', id: groupId } as const;
        const [take, leave] = [[routeStream(parentId, path)], [routeStream(parentId, oldPath)]];
        await names.requireFree(take, holder).catch(refuseTaken('validation_failed'));
        await names
          .claimed(holder, { take, leave }, metadata, (at) =>
            commands.handle(groupDecider, stream, command, metadata, { at }),
          )
          .catch(refuseTaken('validation_failed'));
      }
      return detailOf(groupId, caller);
    }),

    implement(deleteGroup, async ({ params, group, metadata }) => {
      const { id: groupId, fullPath } = group.group;
      const deletion = askedDeletion({ params, fullPath, what: 'group' }, await adjourned());
      const command = deletionCommand(deletion, { groupId, fullPath });
      await commands.handle(groupDecider, groupStream(groupId), command, metadata);
      return accepted();
    }),

    implement(restoreGroup, async ({ group, caller, metadata }) => {
      const { id: groupId, parentId } = group.group;
      if (parentId !== null && (await directory.marked()).groups.has(parentId))
        throw new Rejection('refused', {
          message: 'A group above the group is marked for deletion. Restore that one first.',
        });
      const command = { type: 'CancelGroupDeletion', groupId } as const;
      await commands.handle(groupDecider, groupStream(groupId), command, metadata);
      return detailOf(groupId, caller);
    }),
  ];
}

function refuseTaken(code: 'group_not_saved' | 'validation_failed'): (error: unknown) => never {
  return (error) => {
    throw error instanceof NameTakenError ? new Rejection(code, { fields: TAKEN }) : error;
  };
}

function deletionCommand(deletion: Deletion, group: { groupId: number; fullPath: string }): GroupCommand {
  if (deletion.way === 'at once') return { type: 'DeleteGroup', ...group };
  if (deletion.way === 'marked') return { type: 'DeleteMarkedGroup', ...group, now: null };
  return { type: 'ScheduleGroupDeletion', groupId: group.groupId, deletionDueAt: deletion.deletionDueAt };
}

type GroupVisibility = 'private' | 'internal' | 'public';

type Given = { [Name in keyof GroupSettings]?: GroupSettings[Name] | undefined };

/** Picks the parameters that are settings. */
function settingsOf(given: Given): Partial<GroupSettings> {
  const settings: Given = {
    share_with_group_lock: given.share_with_group_lock,
    require_two_factor_authentication: given.require_two_factor_authentication,
    two_factor_grace_period: given.two_factor_grace_period,
    project_creation_level: given.project_creation_level,
    auto_devops_enabled: given.auto_devops_enabled,
    subgroup_creation_level: given.subgroup_creation_level,
    emails_disabled: given.emails_disabled,
    mentions_disabled: given.mentions_disabled,
    lfs_enabled: given.lfs_enabled,
    request_access_enabled: given.request_access_enabled,
    default_branch_protection: given.default_branch_protection,
    shared_runners_setting: given.shared_runners_setting,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
