import type { CustomAttributeEvent } from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** One of the ids is there. */
export interface AttributeOwner {
  userId: number | null;
  groupId: number | null;
  projectId: number | null;
}

interface Attribute {
  id: number;
  value: string;
}

/** Attributes of one owner by name. */
export type CustomAttributesState = ReadonlyMap<string, Attribute>;

export type CustomAttributeCommand = AttributeOwner & { key: string } & (
    | {
        type: 'SetCustomAttribute';
        /** The id that the attribute gets where there is none of this name. */
        customAttributeId: number;
        value: string;
      }
    | { type: 'DeleteCustomAttribute' }
  );

const LONGEST_KEY = 255;
const MOST = 1000;

export function customAttributesStream({ userId, groupId, projectId }: AttributeOwner): string {
  if (userId !== null) return `customAttributes-user-${userId}`;
  if (groupId !== null) return `customAttributes-group-${groupId}`;
  return `customAttributes-project-${projectId}`;
}

export const customAttributeDecider: Decider<
  CustomAttributesState,
  CustomAttributeCommand,
  CustomAttributeEvent
> = {
  initialState: new Map(),

  decide(command, state) {
    const { userId, groupId, projectId, key } = command;
    const ofOwner = { userId, groupId, projectId, key };
    const current = state.get(key);
    switch (command.type) {
      case 'SetCustomAttribute': {
        const { customAttributeId, value } = command;
        requireValid(key, value);
        if (current) {
          const change = changesFrom({ value: current.value }, { value });
          const data = { customAttributeId: current.id, ...ofOwner };
          return change === null ? [] : [{ type: 'CustomAttributeUpdated', data: { ...data, ...change } }];
        }
        if (state.size >= MOST)
          throw new Rejection('validation_failed', {
            fields: { base: [`has too many custom attributes (maximum is ${MOST})`] },
          });
        return [{ type: 'CustomAttributeCreated', data: { customAttributeId, ...ofOwner, value } }];
      }
      case 'DeleteCustomAttribute':
        if (!current) throw new Rejection('record_not_found');
        return [{ type: 'CustomAttributeDeleted', data: { customAttributeId: current.id, ...ofOwner } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { key, customAttributeId: id } = event.data;
    const next = new Map(state);
    switch (event.type) {
      case 'CustomAttributeCreated':
        next.set(key, { id, value: event.data.value });
        break;
      case 'CustomAttributeUpdated':
        next.set(key, { id, value: event.data.changes.value ?? state.get(key)?.value ?? '' });
        break;
      case 'CustomAttributeDeleted':
        next.delete(key);
        break;
      default:
        event satisfies never;
    }
    return next;
  },
};

function requireValid(key: string, value: string): void {
  const fields: Record<string, string[]> = {};
  if (key.trim() === '') fields.key = ["can't be blank"];
  if (key.length > LONGEST_KEY) fields.key = [`is too long (maximum is ${LONGEST_KEY} characters)`];
  if (value.trim() === '') fields.value = ["can't be blank"];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
