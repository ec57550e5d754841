import { administrator, defineEndpoint, user } from '../../endpoint.ts';
import { described, int } from '../../params.ts';
import { answer, common } from '../event-stream/event-stream.api.ts';

const { subscriber: _, actor_id, ...ofEveryone } = common;
const params = {
  ...ofEveryone,
  project_id: described(int({ min: 1 }), 'Only events of this project: they have its `projectId`'),
};
const rest = { ...answer, otherStatuses: [404, ...answer.otherStatuses] } as const;

export const streamAccessEvents = defineEndpoint({
  service: 'gateway',
  id: 'access-event-stream',
  method: 'GET',
  path: '/access_event_stream',
  summary:
    'The access log: sign-ins, clones and fetches, and what was refused; as server-sent events or in NDJSON',
  spec: 'beyond the specification',
  access: administrator,
  params: { ...params, actor_id },
  ...rest,
});

export const streamOwnAccessEvents = defineEndpoint({
  service: 'gateway',
  id: 'own-access-event-stream',
  method: 'GET',
  path: '/user/access_event_stream',
  summary:
    'What the access log has about the caller: uses of their credentials, and sign-ins refused to them',
  spec: 'beyond the specification',
  access: user,
  params,
  ...rest,
});

export const accessLogEndpoints = [streamAccessEvents, streamOwnAccessEvents];
