import { administrator, defineEndpoint, group, project } from '../../endpoint.ts';
import { datetime, described, int, list, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';

/** Parameters of streams of events. */
export const common = {
  after: described(
    text({ max: 256 }),
    'Position after which to begin; the header Last-Event-ID comes before it. The default is the first event',
  ),
  contract: described(
    text({ max: 20 }),
    'Version of the contract that the consumer knows, such as `1.0`: what came later is left out',
  ),
  types: described(list(text({ max: 100 }), { max: 200 }), 'Only events of these types'),
  actor_id: described(int({ min: 1 }), 'Only what this user did'),
  from: described(datetime(), 'Only events recorded at this time or later'),
  until: described(
    datetime(),
    'Only events recorded before this time; the stream ends when it has passed and all were sent',
  ),
  limit: described(
    int({ min: 1, max: 10_000 }),
    'At most so many events; then the answer ends. A page in NDJSON has 1000 by default',
  ),
  subscriber: described(
    text({ max: 40 }),
    'Name of the subscriber, for its own lag in the metrics: letters, digits, `.`, `_` and `-`',
  ),
};

export const answer = {
  strictParams: true,
  otherStatuses: [409, 410],
  headers: {
    'X-Log-Id': 'The log: the id of its first event, as in `source` of its events',
    'X-Log-Epoch': 'The epoch of the log: another one since each restore',
    'X-Next-Position': 'NDJSON only: the position after which the next page begins',
    'X-Caught-Up': 'NDJSON only: `true` if the page reaches the end that the log has now',
    Link: 'NDJSON only: the next page, also where it has no events yet',
    'Content-Encoding': 'gzip or zstd, as in Accept-Encoding',
  },
  mediaTypes: ['text/event-stream', 'application/x-ndjson'],
} as const;

export const streamEvents = defineEndpoint({
  service: 'gateway',
  id: 'event-stream',
  method: 'GET',
  path: '/event_stream',
  summary:
    'Every event of the log from any position on: as server-sent events, as they happen, or a page in NDJSON',
  spec: 'beyond the specification',
  access: administrator,
  params: {
    ...common,
    project_id: described(
      int({ min: 1 }),
      'Only events that belong to this project: they have its `projectId`',
    ),
    group_id: described(
      int({ min: 1 }),
      'Only events of this group, of the groups below it, and of their projects, as of now',
    ),
  },
  ...answer,
});

const { subscriber: _, ...forMembers } = common;

export const streamProjectEvents = defineEndpoint({
  service: 'gateway',
  id: 'project-event-stream',
  method: 'GET',
  path: '/projects/:id/event_stream',
  summary: 'What happens in a project, for those who maintain it: without what they may not read',
  spec: 'beyond the specification',
  access: project('maintainer'),
  params: { id: projectId, ...forMembers },
  ...answer,
});

export const streamGroupEvents = defineEndpoint({
  service: 'gateway',
  id: 'group-event-stream',
  method: 'GET',
  path: '/groups/:id/event_stream',
  summary: 'What happens in a group, in the groups below it and in their projects, for those who maintain it',
  spec: 'beyond the specification',
  access: group('maintainer'),
  params: { id: groupId, ...forMembers },
  ...answer,
});

export const eventStreamEndpoints = [streamEvents, streamProjectEvents, streamGroupEvents];
