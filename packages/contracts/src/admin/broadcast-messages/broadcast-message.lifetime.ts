import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import {
  BroadcastMessageCreated,
  BroadcastMessageDeleted,
  BroadcastMessageUpdated,
} from './broadcast-message.events.ts';

export const broadcastMessageLifetime = defineLifetime({
  kind: 'BroadcastMessage',
  id: ['broadcastMessageId'],
  begins: [begins(BroadcastMessageCreated)],
  changes: changedBy(BroadcastMessageUpdated),
  ends: [endsWith(BroadcastMessageDeleted, ['broadcastMessageId'])],
});
