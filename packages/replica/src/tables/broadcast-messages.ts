import { defineRecords, flag, type Part, text, whole } from '../table.ts';

export const broadcastMessages: Part = {
  events: { BroadcastMessageCreated: 1, BroadcastMessageUpdated: 1, BroadcastMessageDeleted: 1 },
  records: [
    defineRecords({
      kind: 'BroadcastMessage',
      name: 'broadcast_messages',
      about: 'Messages of administrators to all people.',
      key: ['broadcast_message_id'],
      columns: {
        broadcast_message_id: whole('broadcastMessageId', 'Id of the message.'),
        message: text('message', 'What it says.'),
        starts_at: text('startsAt', 'When it begins to be shown.'),
        ends_at: text('endsAt', 'When it is no longer shown.'),
        broadcast_type: text('broadcastType', 'How it is shown.'),
        dismissable: flag('dismissable', 'Whether people can put it away'),
      },
      compare: {
        select: 'SELECT * FROM broadcast_messages WHERE ended_at IS NULL',
        key: ['broadcast_message_id'],
        async *served(api) {
          for await (const { id, message, starts_at, ends_at, broadcast_type } of api.list(
            '/broadcast_messages',
          ))
            yield { broadcast_message_id: id, message, starts_at, ends_at, broadcast_type };
        },
      },
    }),
  ],
};
