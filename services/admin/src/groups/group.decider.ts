import {
  GROUP_SETTING_DEFAULTS,
  type GroupSettings,
  type GroupStreamEvent,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { groupNameProblems, pathProblems } from '../shared/path.rules.ts';
import { type HighestBelow, lowerOf, type Visibility, visibilityProblems } from './group.access.ts';
import {
  decideAccess,
  decideMember,
  endGroupMembers,
  type GroupAccessCommand,
  type GroupMemberCommand,
  hasOtherOwner,
  isActive,
  type Members,
  type MembershipEnds,
} from './group-member.rules.ts';

interface Described {
  name: string;
  path: string;
  description: string;
  visibility: Visibility;
  settings: Partial<GroupSettings>;
}

export interface ParentGroup {
  id: number;
  fullPath: string;
  visibility: Visibility;
  /** 1 for a top-level group. */
  depth: number;
}

export type SharedRunnersSetting = GroupSettings['shared_runners_setting'];

interface NewParent extends ParentGroup {
  /** The strictest of it and the groups above it. */
  sharedRunnersSetting: SharedRunnersSetting;
}

export type GroupState =
  | { status: 'absent' }
  | ({
      status: 'present';
      groupId: number;
      parentId: number | null;
      /** When it will be deleted; null unless it is marked. */
      deletionDueAt: string | null;
      members: Members;
      /** Users who ask to become members. */
      requests: PersistentSet<number>;
    } & Described)
  /** Members whose end has no event yet. */
  | { status: 'deleted'; members: Members };

export type GroupCommand =
  | ({
      type: 'CreateGroup';
      groupId: number;
      parent: ParentGroup | null;
      /** The first owner; null if the system creates the group. */
      creatorId: number | null;
    } & Described)
  | {
      type: 'UpdateGroup';
      groupId: number;
      changes: Partial<Described>;
      parentVisibility: Visibility | null;
      /** The most open visibility below, null if empty. */
      below: HighestBelow;
    }
  | {
      type: 'TransferGroup';
      groupId: number;
      /** null for the top. */
      parent: NewParent | null;
      /** Levels of groups from this one down: 1 without subgroups. */
      height: number;
      /** Becomes its owner where nobody is, at the top. */
      callerId: number;
      today: string;
    }
  /** For a group above that became less open. */
  | { type: 'LowerGroupVisibility'; groupId: number; ceiling: Visibility }
  | { type: 'ScheduleGroupDeletion'; groupId: number; deletionDueAt: string }
  | { type: 'CancelGroupDeletion'; groupId: number }
  /** Deletes it if its time has come at `now`; null: whenever that is. */
  | { type: 'DeleteMarkedGroup'; groupId: number; fullPath: string; now: string | null }
  | { type: 'DeleteGroup'; groupId: number; fullPath: string }
  | ({ type: 'EndGroupMembers'; groupId: number } & MembershipEnds)
  | GroupMemberCommand
  | GroupAccessCommand;

export const groupStream = (id: number) => `group-${id}`;

const MARKED = 'The group is marked for deletion';
const OWNER = 50;
/** Maximum nesting, including the top level. */
const DEEPEST = 20;

/** A group and its direct members are one aggregate, so that they change consistently. */
export const groupDecider: Decider<GroupState, GroupCommand, GroupStreamEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'CreateGroup') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { groupId, parent, creatorId, name, path, description, visibility, settings } = command;
      const problems = problemsOf({ name, path, visibility }, parent?.visibility ?? null, parent === null);
      if ((parent?.depth ?? 0) >= DEEPEST) problems.parent_id = ['has too deep level of nesting'];
      if (Object.keys(problems).length > 0) throw new Rejection('group_not_saved', { fields: problems });
      const fullPath = parent ? `${parent.fullPath}/${path}` : path;
      const data = { groupId, parentId: parent?.id ?? null, name, path, fullPath, description, visibility };
      const created = {
        type: 'GroupCreated',
        data: { ...data, creatorId, ownerId: null, settings },
      } as const;
      if (creatorId === null) return [created];
      const owner = { groupId, userId: creatorId, accessLevel: OWNER, expiresAt: null };
      return [created, { type: 'GroupMemberAdded', data: { ...owner, reason: 'created' } }];
    }
    if (command.type === 'EndGroupMembers')
      return state.status === 'absent' ? [] : endGroupMembers(command.groupId, state.members, command);
    // A policy may come after the deletion.
    if (command.type === 'LowerGroupVisibility' && state.status !== 'present') return [];
    // The sweep may come after another deletion.
    if (command.type === 'DeleteMarkedGroup' && state.status !== 'present') return [];
    if (state.status !== 'present') throw new Rejection('not_found', { what: 'Group' });
    switch (command.type) {
      case 'UpdateGroup': {
        if (state.deletionDueAt !== null) throw new Rejection('forbidden', { reason: MARKED });
        const { name, path, description, visibility } = state;
        const settings = { ...GROUP_SETTING_DEFAULTS, ...state.settings };
        const change = changesFrom({ name, path, description, visibility, settings }, command.changes);
        if (change === null) return [];
        const problems = problemsOf(
          change.changes,
          command.parentVisibility,
          state.parentId === null,
          command.below,
        );
        if (Object.keys(problems).length > 0) throw new Rejection('validation_failed', { fields: problems });
        return [{ type: 'GroupUpdated', data: { groupId: command.groupId, ...change } }];
      }
      case 'TransferGroup':
        return transferred(command, state);
      case 'LowerGroupVisibility': {
        const { visibility } = state;
        const change = changesFrom({ visibility }, { visibility: lowerOf(visibility, command.ceiling) });
        return change === null
          ? []
          : [{ type: 'GroupUpdated', data: { groupId: command.groupId, ...change } }];
      }
      case 'ScheduleGroupDeletion': {
        // The first mark counts: deleting again does not put it off.
        if (state.deletionDueAt !== null) return [];
        const change = {
          changes: { deletionDueAt: command.deletionDueAt },
          previous: { deletionDueAt: null },
        };
        return [{ type: 'GroupDeletionScheduled', data: { groupId: command.groupId, ...change } }];
      }
      case 'CancelGroupDeletion': {
        const { deletionDueAt } = state;
        if (deletionDueAt === null)
          throw new Rejection('refused', { message: 'Group has not been marked for deletion' });
        const change = { changes: { deletionDueAt: null }, previous: { deletionDueAt } };
        return [{ type: 'GroupDeletionCancelled', data: { groupId: command.groupId, ...change } }];
      }
      case 'DeleteMarkedGroup': {
        const { now } = command;
        if (now === null && state.deletionDueAt === null)
          throw new Rejection('refused', { message: 'Group must be marked for deletion first.' });
        if (state.deletionDueAt === null || (now !== null && state.deletionDueAt > now)) return [];
        return [deleted(command, state)];
      }
      case 'DeleteGroup':
        return [deleted(command, state)];
      case 'AddGroupMember':
      case 'ChangeGroupMember':
      case 'RemoveGroupMember':
        return decideMember(command, state.members);
      case 'RequestGroupAccess': {
        const { settings, deletionDueAt } = state;
        if (deletionDueAt !== null || settings.request_access_enabled === false)
          throw new Rejection('forbidden', {});
        return decideAccess(command, state.members, state.requests);
      }
      case 'ApproveGroupAccess':
      case 'DeleteGroupAccessRequest':
        return decideAccess(command, state.members, state.requests);
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'GroupCreated': {
        const { groupId, parentId, name, path, description, visibility, ownerId, settings } = event.data;
        const owner = { accessLevel: OWNER, expiresAt: null };
        return {
          status: 'present',
          groupId,
          parentId,
          deletionDueAt: null,
          name,
          path,
          description,
          visibility,
          settings,
          members: ownerId === null ? PersistentMap() : PersistentMap([[ownerId, owner]]),
          requests: PersistentSet(),
        };
      }
      case 'GroupDeleted':
        return { status: 'deleted', members: state.status === 'present' ? state.members : PersistentMap() };
      case 'NameForfeited':
        return state.status === 'absent' ? { status: 'deleted', members: PersistentMap() } : state;
    }
    if (state.status === 'absent') return state;
    if (event.type === 'GroupMemberRemoved')
      return { ...state, members: state.members.delete(event.data.userId) };
    if (state.status === 'deleted') return state;
    switch (event.type) {
      case 'GroupUpdated': {
        const { settings, ...changes } = event.data.changes;
        return { ...state, ...changes, settings: { ...state.settings, ...settings } };
      }
      case 'GroupTransferred':
        return { ...state, ...event.data.changes };
      case 'GroupDeletionScheduled':
      case 'GroupDeletionCancelled':
        return { ...state, deletionDueAt: event.data.changes.deletionDueAt ?? null };
      case 'GroupMemberAdded':
      case 'GroupMemberChanged': {
        const { userId, accessLevel, expiresAt } = event.data;
        const members = state.members.set(userId, { accessLevel, expiresAt });
        return { ...state, members, requests: state.requests.delete(userId) };
      }
      case 'GroupAccessRequestCreated':
        return { ...state, requests: state.requests.add(event.data.userId) };
      case 'GroupAccessRequestDeleted':
        return { ...state, requests: state.requests.delete(event.data.userId) };
      default:
        return event satisfies never;
    }
  },
};

export const transferFailed = (why: string) =>
  new Rejection('refused', { message: `Transfer failed: ${why}` });

function transferred(
  { groupId, parent, height, callerId, today }: Extract<GroupCommand, { type: 'TransferGroup' }>,
  state: Extract<GroupState, { status: 'present' }>,
): GroupStreamEvent[] {
  const { path, members } = state;
  if (state.deletionDueAt !== null) throw new Rejection('forbidden', { reason: MARKED });
  if (state.parentId === (parent?.id ?? null))
    throw transferFailed(
      parent === null ? 'Group is already a root group.' : 'Group is already associated to the parent group.',
    );
  const [problem] = pathProblems(path, parent === null);
  if (problem) throw transferFailed(`Path ${problem}`);
  if ((parent?.depth ?? 0) + height > DEEPEST)
    throw transferFailed('The groups would have too deep a level of nesting.');
  const visibility = parent === null ? state.visibility : lowerOf(state.visibility, parent.visibility);
  const change = changesFrom(
    { parentId: state.parentId, visibility: state.visibility },
    { parentId: parent?.id ?? null, visibility },
  );
  const fullPath = parent === null ? path : `${parent.fullPath}/${path}`;
  const moved = [
    { type: 'GroupTransferred', data: { groupId, fullPath, ...change! } } as const,
    ...sharedRunnersKeptOut(groupId, state.settings, parent),
  ];
  // An owner above it may have been its only one.
  const isOwned = parent !== null || hasOtherOwner(members, 0, today);
  return isOwned ? moved : [...moved, ...madeOwner(groupId, callerId, { members, today })];
}

const FROM_OPEN_TO_STRICT: readonly SharedRunnersSetting[] = [
  'enabled',
  'disabled_with_override',
  'disabled_and_unoverridable',
];

/** The strictest setting of groups, of which those that say nothing have the default. */
export function strictestSharedRunners(
  groups: readonly { settings: Partial<GroupSettings> }[],
): SharedRunnersSetting {
  const { shared_runners_setting: usual } = GROUP_SETTING_DEFAULTS;
  const ranks = groups.map(({ settings }) =>
    FROM_OPEN_TO_STRICT.indexOf(settings.shared_runners_setting ?? usual),
  );
  return FROM_OPEN_TO_STRICT[Math.max(0, ...ranks)]!;
}

/** A group takes over the setting of a stricter parent, and keeps it when it moves on. */
function sharedRunnersKeptOut(
  groupId: number,
  settings: Partial<GroupSettings>,
  parent: NewParent | null,
): GroupStreamEvent[] {
  if (parent === null) return [];
  const own = strictestSharedRunners([{ settings }]);
  const above = { settings: { shared_runners_setting: parent.sharedRunnersSetting } };
  const strictest = strictestSharedRunners([{ settings }, above]);
  if (own === strictest) return [];
  const changes = { settings: { shared_runners_setting: strictest } };
  const previous = { settings: { shared_runners_setting: own } };
  return [{ type: 'GroupUpdated', data: { groupId, changes, previous } }];
}

function madeOwner(
  groupId: number,
  userId: number,
  { members, today }: { members: Members; today: string },
): readonly GroupStreamEvent[] {
  const membership = { groupId, userId, accessLevel: OWNER, expiresAt: null, today };
  const known = members.get(userId);
  return known && isActive(known, today)
    ? decideMember({ type: 'ChangeGroupMember', inheritedOwners: false, ...membership }, members)
    : decideMember({ type: 'AddGroupMember', ...membership }, members);
}

const deleted = (
  { groupId, fullPath }: { groupId: number; fullPath: string },
  { parentId, path }: { parentId: number | null; path: string },
) => ({ type: 'GroupDeleted' as const, data: { groupId, parentId, path, fullPath } });

type Problems = Record<string, string[]>;

function problemsOf(
  { name, path, visibility }: Partial<Pick<Described, 'name' | 'path' | 'visibility'>>,
  parentVisibility: Visibility | null,
  isTopLevel: boolean,
  below: HighestBelow = { group: null, project: null },
): Problems {
  const problems: Problems = {
    name: name === undefined ? [] : groupNameProblems(name),
    path: path === undefined ? [] : pathProblems(path, isTopLevel),
    visibility_level: visibility === undefined ? [] : visibilityProblems(visibility, parentVisibility, below),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, texts]) => texts.length > 0));
}
