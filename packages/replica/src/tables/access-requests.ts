import { defineRecords, type Part, whole } from '../table.ts';

const OF = { project: 'projects', group: 'groups' } as const;

const requestsOf = (noun: 'project' | 'group') =>
  defineRecords({
    kind: noun === 'project' ? 'ProjectAccessRequest' : 'GroupAccessRequest',
    name: `${noun}_access_requests`,
    about: `Users who ask to become members of a ${noun}.`,
    key: [`${noun}_id`, 'user_id'],
    columns: {
      [`${noun}_id`]: whole(`${noun}Id`, `Id of the ${noun}.`),
      user_id: whole('userId', 'Id of the user.'),
    },
    compare: {
      select: `SELECT * FROM ${noun}_access_requests WHERE ended_at IS NULL`,
      key: [`${noun}_id`, 'user_id'],
      async *served(api) {
        for await (const { id } of api.list(`/${OF[noun]}?order_by=id`))
          for await (const { id: user_id } of api.list(`/${OF[noun]}/${id}/access_requests`))
            yield { [`${noun}_id`]: id, user_id };
      },
    },
  });

export const accessRequests: Part = {
  events: {
    ProjectAccessRequestCreated: 1,
    ProjectAccessRequestDeleted: 1,
    GroupAccessRequestCreated: 1,
    GroupAccessRequestDeleted: 1,
  },
  records: [requestsOf('project'), requestsOf('group')],
};
