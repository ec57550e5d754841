import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { EpicNested } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';

interface Epic {
  epicId: number;
  groupId: number;
  iid: number;
}

/** What an epic is a part of, and its place there. */
interface Nesting {
  parentId: number | null;
  parentPosition: string | null;
  /** The epic that it is a part of, or was one of last. */
  parent: Epic | null;
}

/** By number. */
export type EpicTreeState = PersistentMap<number, Nesting>;

export type EpicTreeCommand = Epic & {
  type: 'NestEpic';
  /** null takes it out. */
  parent: Epic | null;
  position: string | null;
  /** Only if it is a part of this epic; null whatever it is in. */
  from: number | null;
  /** Numbers of epics of the group that are gone, as far as they matter: they pass nothing on. */
  ended: readonly number[];
};

type Nested = EventOf<typeof EpicNested>;

const FREE: Nesting = { parentId: null, parentPosition: null, parent: null };

const nestingOf = (state: EpicTreeState, iid: number): Nesting => state.get(iid) ?? FREE;

export const epicTreeStream = (groupId: number): string => `epicTree-${groupId}`;

/**
 * An epic and those of its group that it is a part of, from the inside. What it is a part of in a group above is in no
 * epic of this group, so that no circle goes through there.
 */
export function epicsAround(state: EpicTreeState, groupId: number, iid: number): number[] {
  const found: number[] = [];
  for (let at: number | undefined = iid; at !== undefined; ) {
    found.push(at);
    const { parentId, parent } = nestingOf(state, at);
    at = parentId !== null && parent?.groupId === groupId ? parent.iid : undefined;
  }
  return found;
}

export const epicTreeDecider: Decider<EpicTreeState, EpicTreeCommand, Nested> = {
  initialState: PersistentMap(),

  decide({ epicId, groupId, iid, parent, position, from, ended }, state) {
    const before = nestingOf(state, iid);
    // Somebody else took it out, or put it into another one.
    if (from !== null && from !== before.parentId) throw new Rejection('record_not_found');
    if (parent !== null && parent.groupId === groupId) {
      const around = epicsAround(state, groupId, parent.iid);
      const end = around.findIndex((one) => ended.includes(one));
      if ((end < 0 ? around : around.slice(0, end)).includes(iid))
        throw new Rejection('refused', {
          message:
            parent.iid === iid
              ? 'This epic cannot be added. An epic cannot be added to itself.'
              : 'This epic cannot be added. It is already an ancestor of the parent epic.',
        });
    }
    const change = changesFrom<Omit<Nesting, 'parent'>>(before, {
      parentId: parent?.epicId ?? null,
      parentPosition: position,
    });
    const told = parent ?? before.parent;
    if (change === null || told === null) return [];
    const { groupId: parentGroupId, iid: parentIid } = told;
    return [{ type: 'EpicNested', data: { epicId, groupId, iid, parentGroupId, parentIid, ...change } }];
  },

  evolve(state, { data: { iid, parentGroupId: groupId, parentIid, changes, previous } }) {
    const before = nestingOf(state, iid);
    const parentId = changes.parentId ?? previous?.parentId ?? before.parentId;
    const parent = parentId === null ? before.parent : { epicId: parentId, groupId, iid: parentIid };
    return state.set(iid, { ...before, ...changes, parent });
  },
};
