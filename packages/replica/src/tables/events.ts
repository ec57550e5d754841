import { defineFacts, type Part, reference, text, whole } from '../table.ts';

export const events: Part = {
  events: { EpochBegun: 1 },
  facts: [
    defineFacts({
      name: 'events',
      about: 'Every event, without its data.',
      key: ['position'],
      columns: {
        position: text(null, 'Place in the log; compare it as text.'),
        event_id: text(null, 'Id of the event.'),
        time: text(null, 'When it was recorded, in ISO 8601 and UTC.'),
        type: text(null, 'The event type.'),
        subject: text(null, 'The stream: what the event happened to.'),
        actor_id: whole(null, 'Id of the user who did it; null where the system did.'),
        project_id: reference('projectId', 'Id of the project, where it happened in one.'),
        group_id: reference('groupId', 'Id of the group, where it happened to one.'),
        causation_id: text(null, 'Id of the event that this one follows from.'),
      },
      rowOf: ({ position, id, time, type, subject, actorid = null, causationid = null, data }) => ({
        ...{ position, event_id: id, time, type, subject, actor_id: actorid, causation_id: causationid },
        ...{ project_id: data.projectId ?? null, group_id: data.groupId ?? null },
      }),
    }),
  ],
};
