import type { BroadcastMessageEvent } from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

interface Message {
  message: string;
  startsAt: string;
  endsAt: string;
  color: string;
  font: string;
  targetPath: string | null;
  broadcastType: 'banner' | 'notification';
  dismissable: boolean;
}

export type BroadcastMessageState =
  | { status: 'absent' }
  | { status: 'deleted' }
  | ({ status: 'present' } & Message);

export type BroadcastMessageCommand = { broadcastMessageId: number } & (
  | ({ type: 'CreateBroadcastMessage' } & Message)
  /** Undefined keeps the current value. */
  | {
      type: 'UpdateBroadcastMessage';
      changes: { [Name in keyof Message]?: Message[Name] | undefined };
    }
  | { type: 'DeleteBroadcastMessage' }
);

export const broadcastMessageStream = (id: number) => `broadcastMessage-${id}`;

export const broadcastMessageDecider: Decider<
  BroadcastMessageState,
  BroadcastMessageCommand,
  BroadcastMessageEvent
> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { broadcastMessageId } = command;
    if (command.type === 'CreateBroadcastMessage') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, ...data } = command;
      requireValid(data);
      return [{ type: 'BroadcastMessageCreated', data }];
    }
    if (state.status !== 'present') throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateBroadcastMessage': {
        const { status: _, ...message } = state;
        const change = changesFrom<Message>(message, command.changes);
        if (change === null) return [];
        requireValid({ ...message, ...change.changes });
        return [{ type: 'BroadcastMessageUpdated', data: { broadcastMessageId, ...change } }];
      }
      case 'DeleteBroadcastMessage':
        return [{ type: 'BroadcastMessageDeleted', data: { broadcastMessageId } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'BroadcastMessageCreated': {
        const { broadcastMessageId: _, ...message } = event.data;
        return { status: 'present', ...message };
      }
      case 'BroadcastMessageUpdated':
        return state.status === 'present' ? { ...state, ...event.data.changes } : state;
      case 'BroadcastMessageDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Reports all problems at once. */
function requireValid({ message, startsAt, endsAt, color, font }: Message): void {
  const fields: Record<string, string[]> = {};
  if (message.trim() === '') fields.message = ["can't be blank"];
  if (endsAt <= startsAt) fields.ends_at = ['must be after starts_at'];
  if (!COLOR.test(color)) fields.color = ['must be a valid color code'];
  if (!COLOR.test(font)) fields.font = ['must be a valid color code'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
