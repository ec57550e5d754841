import { Rejection } from '@forgelog/contracts/errors.ts';
import type { LabelEvent } from '@forgelog/contracts/tracker/labels/label.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';
import { colorOf } from './label-color.ts';

/** One of both ids is there. */
export interface LabelPlace {
  projectId: number | null;
  groupId: number | null;
}

export interface LabelAttributes {
  title: string;
  /** `#rrggbb`; in commands also what `colorOf` takes. */
  color: string;
  description: string | null;
  priority: number | null;
  /** Whether it was created for a confidential issue, and given to nothing else since. */
  confidential: boolean;
}

/** The labels of one place by id. */
export type LabelsState = PersistentMap<number, LabelAttributes & { subscriberIds: ReadonlySet<number> }>;

type One = { labelId: number } & LabelPlace;

export type LabelCommand =
  | ({ type: 'CreateLabel' } & One & LabelAttributes)
  /** Creates labels of which the place has none with the title. */
  | ({ type: 'EnsureLabels'; labels: readonly ({ labelId: number } & LabelAttributes)[] } & LabelPlace)
  /** Undefined keeps the current value. */
  | ({
      type: 'UpdateLabel';
      changes: { [Name in keyof LabelAttributes]?: LabelAttributes[Name] | undefined };
    } & One)
  /** Tells everybody of labels that are given to what is not confidential. */
  | ({ type: 'OpenLabels'; labelIds: readonly number[] } & LabelPlace)
  | ({ type: 'DeleteLabel'; replacedById: number | null } & One)
  | ({ type: 'SubscribeToLabel' | 'UnsubscribeFromLabel'; userId: number } & One);

export const labelsStream = ({ projectId, groupId }: LabelPlace): string =>
  projectId === null ? `labels-group-${groupId}` : `labels-project-${projectId}`;

export const labelDecider: Decider<LabelsState, LabelCommand, LabelEvent> = {
  initialState: PersistentMap(),

  decide(command, state) {
    const { projectId, groupId } = command;
    if (command.type === 'EnsureLabels') {
      const missing = command.labels
        .map(({ labelId, ...label }) => ({ labelId, projectId, groupId, ...valid(label) }))
        .filter(({ title }) => idOfTitle(state, title) === undefined);
      requireRoom(state.size + missing.length);
      return missing.map((data) => ({ type: 'LabelCreated', data }));
    }
    if (command.type === 'OpenLabels')
      return command.labelIds
        .filter((labelId) => state.get(labelId)?.confidential)
        .map((labelId) => ({ type: 'LabelUpdated', data: { labelId, projectId, groupId, ...OPENED } }));
    const { labelId } = command;
    const ids = { labelId, projectId, groupId };
    if (command.type === 'CreateLabel') {
      const { title, color, description, priority, confidential } = command;
      const label = valid({ title, color, description, priority, confidential });
      if (idOfTitle(state, label.title) !== undefined)
        throw new Rejection('conflict', { message: 'Label already exists' });
      requireRoom(state.size + 1);
      return [{ type: 'LabelCreated', data: { ...ids, ...label } }];
    }
    const label = state.get(labelId);
    if (!label) throw new Rejection('not_found', { what: 'Label' });
    switch (command.type) {
      case 'UpdateLabel': {
        const given = Object.entries(command.changes).filter(([, value]) => value !== undefined);
        const { subscriberIds: _, ...present } = label;
        const wanted = valid({ ...present, ...Object.fromEntries(given) });
        const holder = idOfTitle(state, wanted.title);
        if (holder !== undefined && holder !== labelId) throw titleTaken();
        const change = changesFrom<LabelAttributes>(present, wanted);
        return change === null ? [] : [{ type: 'LabelUpdated', data: { ...ids, ...change } }];
      }
      case 'DeleteLabel':
        return [{ type: 'LabelDeleted', data: { ...ids, replacedById: command.replacedById } }];
      case 'SubscribeToLabel':
        if (label.subscriberIds.has(command.userId)) return [];
        return [{ type: 'LabelSubscribed', data: { ...ids, userId: command.userId } }];
      case 'UnsubscribeFromLabel':
        if (!label.subscriberIds.has(command.userId)) return [];
        return [{ type: 'LabelUnsubscribed', data: { ...ids, userId: command.userId } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { labelId } = event.data;
    if (event.type === 'LabelCreated') {
      const { title, color, description, priority, confidential } = event.data;
      const label = { title, color, description, priority, confidential, subscriberIds: new Set<number>() };
      return state.set(labelId, label);
    }
    const label = state.get(labelId);
    if (!label) return state;
    switch (event.type) {
      case 'LabelUpdated':
        return state.set(labelId, { ...label, ...event.data.changes });
      case 'LabelDeleted':
        return state.delete(labelId);
      case 'LabelSubscribed':
        return state.set(labelId, {
          ...label,
          subscriberIds: label.subscriberIds.union(new Set([event.data.userId])),
        });
      case 'LabelUnsubscribed':
        return state.set(labelId, {
          ...label,
          subscriberIds: label.subscriberIds.difference(new Set([event.data.userId])),
        });
      default:
        return event satisfies never;
    }
  },
};

/** The id of the label with this title among those of one place. */
export function idOfTitle(state: LabelsState, title: string): number | undefined {
  for (const [id, label] of state) if (label.title === title) return id;
  return undefined;
}

const OPENED = { changes: { confidential: false }, previous: { confidential: true } };

/** So many labels a place has, as all of them are one state. */
const MOST = 10_000;

function requireRoom(count: number): void {
  if (count > MOST)
    throw new Rejection('validation_failed', { fields: { labels: [`are too many (maximum is ${MOST})`] } });
}

const titleTaken = () =>
  new Rejection('validation_failed', { fields: { title: ['has already been taken'] } });

const MAX_TITLE = 255;

/** The attributes as they are stored. @throws Rejection with all that is wrong */
function valid(given: LabelAttributes): LabelAttributes {
  const title = given.title.trim();
  const color = colorOf(given.color);
  const fields: Record<string, string[]> = {};
  if (title === '') fields.title = ["can't be blank"];
  else if (title.includes(',')) fields.title = ['is invalid'];
  else if ([...title].length > MAX_TITLE) fields.title = [`is too long (maximum is ${MAX_TITLE} characters)`];
  if (color === undefined) fields.color = ['must be a valid color code'];
  if (color === undefined || fields.title) throw new Rejection('validation_failed', { fields });
  return { ...given, title, color };
}
