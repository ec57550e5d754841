import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_TITLE } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import type { MilestoneEvent } from '@forgelog/contracts/tracker/milestones/milestone.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';

/** One of both ids is there. */
export interface MilestonePlace {
  projectId: number | null;
  groupId: number | null;
}

export interface MilestoneAttributes {
  title: string;
  description: string | null;
  /** `YYYY-MM-DD` */
  startDate: string | null;
  dueDate: string | null;
  state: 'active' | 'closed';
}

export interface MilestonesState {
  /** Numbers are not given again. */
  lastIid: number;
  byId: PersistentMap<number, MilestoneAttributes>;
}

type Wanted = { [Name in keyof MilestoneAttributes]?: MilestoneAttributes[Name] | undefined };

export type MilestoneCommand = { milestoneId: number } & MilestonePlace &
  (
    | { type: 'CreateMilestone'; attributes: Omit<MilestoneAttributes, 'state'> }
    /** Undefined keeps the current value. */
    | { type: 'UpdateMilestone'; changes: Wanted }
    /** What had it has the one that replaces it from then on. */
    | { type: 'DeleteMilestone'; replacedById: number | null }
  );

export const milestonesStream = ({ projectId, groupId }: MilestonePlace): string =>
  projectId === null ? `milestones-group-${groupId}` : `milestones-project-${projectId}`;

/** A place has so many at most, since a stream holds all of them. */
export const MOST_MILESTONES = 5000;

export const milestoneDecider: Decider<MilestonesState, MilestoneCommand, MilestoneEvent> = {
  initialState: { lastIid: 0, byId: PersistentMap() },

  decide(command, { lastIid, byId }) {
    const { milestoneId, projectId, groupId } = command;
    const ids = { milestoneId, projectId, groupId };
    if (command.type === 'CreateMilestone') {
      const attributes = { ...command.attributes, state: 'active' as const };
      requireValid(attributes, byId);
      if (byId.size >= MOST_MILESTONES)
        throw new Rejection('bad_request', {
          reason: `A project or group has ${MOST_MILESTONES} milestones at most`,
        });
      return [{ type: 'MilestoneCreated', data: { ...ids, iid: lastIid + 1, ...attributes } }];
    }
    const present = byId.get(milestoneId);
    if (!present) throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateMilestone': {
        const change = changesFrom<MilestoneAttributes>(present, command.changes);
        if (change === null) return [];
        requireValid({ ...present, ...change.changes }, byId, milestoneId);
        return [{ type: 'MilestoneUpdated', data: { ...ids, ...change } }];
      }
      case 'DeleteMilestone':
        return [{ type: 'MilestoneDeleted', data: { ...ids, replacedById: command.replacedById } }];
      default:
        return command satisfies never;
    }
  },

  evolve({ lastIid, byId }, event) {
    const { milestoneId } = event.data;
    switch (event.type) {
      case 'MilestoneCreated': {
        const { title, description, startDate, dueDate, state, iid } = event.data;
        const milestone = { title, description, startDate, dueDate, state };
        return { lastIid: iid, byId: byId.set(milestoneId, milestone) };
      }
      case 'MilestoneUpdated': {
        const present = byId.get(milestoneId);
        if (!present) return { lastIid, byId };
        return { lastIid, byId: byId.set(milestoneId, { ...present, ...event.data.changes }) };
      }
      case 'MilestoneDeleted':
        return { lastIid, byId: byId.delete(milestoneId) };
      default:
        return event satisfies never;
    }
  },
};

export const TITLE_USED = 'already being used for another group or project milestone.';

/** Reports all problems at once. */
function requireValid(
  { title, startDate, dueDate }: MilestoneAttributes,
  byId: MilestonesState['byId'],
  ownId?: number,
): void {
  const fields: Record<string, string[]> = {};
  if (title.trim() === '') fields.title = ["can't be blank"];
  else if (title.length > MOST_TITLE) fields.title = [`is too long (maximum is ${MOST_TITLE} characters)`];
  else if ([...byId].some(([id, other]) => id !== ownId && other.title === title))
    fields.title = [TITLE_USED];
  if (startDate !== null && dueDate !== null && dueDate < startDate)
    fields.due_date = ['must be greater than start date'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
