import { Rejection } from '@forgelog/contracts/errors.ts';
import type { BadgeEvent } from '@forgelog/contracts/repo/badges/badge.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** One of both ids is there. */
export interface BadgePlace {
  projectId: number | null;
  groupId: number | null;
}

interface Badge {
  name: string | null;
  linkUrl: string;
  imageUrl: string;
}

export type BadgeState =
  | { status: 'absent' }
  | ({ status: 'present' } & BadgePlace & Badge)
  | { status: 'deleted' };

type One = { badgeId: number } & BadgePlace;

export type BadgeCommand =
  | ({ type: 'CreateBadge' } & One & Badge)
  /** Undefined keeps the current value. */
  | ({ type: 'UpdateBadge'; changes: { [Name in keyof Badge]: Badge[Name] | undefined } } & One)
  | ({ type: 'DeleteBadge' } & One);

export const badgeStream = (id: number) => `badge-${id}`;

export const badgeDecider: Decider<BadgeState, BadgeCommand, BadgeEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { badgeId, projectId, groupId } = command;
    const ids = { badgeId, projectId, groupId };
    if (command.type === 'CreateBadge') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { name, linkUrl, imageUrl } = command;
      return [{ type: 'BadgeCreated', data: { ...ids, name, linkUrl, imageUrl } }];
    }
    // The id in the path may belong to another place.
    if (state.status !== 'present' || state.projectId !== projectId || state.groupId !== groupId)
      throw new Rejection('not_found', { what: 'Badge' });
    switch (command.type) {
      case 'UpdateBadge': {
        const change = changesFrom<Badge>(state, command.changes);
        return change === null ? [] : [{ type: 'BadgeUpdated', data: { ...ids, ...change } }];
      }
      case 'DeleteBadge':
        return [{ type: 'BadgeDeleted', data: ids }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'BadgeCreated': {
        const { badgeId: _, ...badge } = event.data;
        return { status: 'present', ...badge };
      }
      case 'BadgeUpdated':
        return state.status === 'present' ? { ...state, ...event.data.changes } : state;
      case 'BadgeDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};
