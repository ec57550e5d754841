import { z } from 'zod';
import { administrator, anyone, defineEndpoint } from '../../endpoint.ts';
import { bool, datetime, described, int, nullable, oneOf, required, text } from '../../params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './broadcast-message.examples.json' with { type: 'json' };

/** Message to all people (companions 2.11). It is active from its beginning to its end. */
export const broadcastMessageView = defineView(
  'BroadcastMessage',
  {
    id: z.int(),
    message: z.string(),
    starts_at: datetimeView,
    ends_at: datetimeView,
    color: z.string(),
    font: z.string(),
    target_path: z.string().nullable(),
    broadcast_type: z.enum(['banner', 'notification']),
    dismissable: z.boolean(),
    active: z.boolean(),
  },
  examples.BroadcastMessage,
);

const common = { service: 'admin', spec: 'companions 2.11' } as const;
const id = described(required(int()), 'Id of the message');
const message = described(text({ max: 65_535 }), 'What it says', {
  examples: ['The server rests on Sunday'],
});
const color = (of: string, example: string) =>
  described(text({ max: 255 }), `Colour of the ${of}`, {
    examples: [example],
    pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
  });
const attributes = {
  starts_at: described(datetime(), 'When it begins to be shown; now unless given'),
  ends_at: described(datetime(), 'When it is no longer shown; an hour from now unless given'),
  color: color('background', '#E75E40'),
  font: color('text', '#FFFFFF'),
  target_path: described(
    nullable(text({ max: 255 })),
    'On pages at this path alone, `*` for any text; on all pages unless given',
    { examples: ['/engines/*'] },
  ),
  broadcast_type: described(oneOf('banner', 'notification'), 'How it is shown; a banner unless given'),
  dismissable: described(bool(), 'Whether people can put it away; they cannot unless given'),
};

export const listBroadcastMessages = defineEndpoint({
  ...common,
  id: 'broadcast-message-list',
  method: 'GET',
  path: '/broadcast_messages',
  summary: 'Messages to all people, the newest first',
  access: anyone,
  params: {},
  pagination: 'offset',
  response: z.array(broadcastMessageView),
});

export const getBroadcastMessage = defineEndpoint({
  ...common,
  id: 'broadcast-message-get',
  method: 'GET',
  path: '/broadcast_messages/:id',
  summary: 'One message to all people',
  access: anyone,
  params: { id },
  response: broadcastMessageView,
});

export const createBroadcastMessage = defineEndpoint({
  ...common,
  id: 'broadcast-message-create',
  method: 'POST',
  path: '/broadcast_messages',
  summary: 'Write a message to all people',
  access: administrator,
  params: { message: required(message), ...attributes },
  status: 201,
  response: broadcastMessageView,
});

export const updateBroadcastMessage = defineEndpoint({
  ...common,
  id: 'broadcast-message-update',
  method: 'PUT',
  path: '/broadcast_messages/:id',
  summary: 'Change a message to all people',
  access: administrator,
  params: { id, message, ...attributes },
  response: broadcastMessageView,
});

export const deleteBroadcastMessage = defineEndpoint({
  ...common,
  id: 'broadcast-message-delete',
  method: 'DELETE',
  path: '/broadcast_messages/:id',
  summary: 'Delete a message to all people',
  access: administrator,
  params: { id },
  status: 204,
});

export const broadcastMessageEndpoints = [
  listBroadcastMessages,
  getBroadcastMessage,
  createBroadcastMessage,
  updateBroadcastMessage,
  deleteBroadcastMessage,
];
