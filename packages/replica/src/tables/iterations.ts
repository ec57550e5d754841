import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const iterations: Part = {
  events: {
    ...{ IterationCadenceCreated: 1, IterationCadenceUpdated: 1, IterationCadenceDeleted: 1 },
    ...{ IterationCreated: 1, IterationUpdated: 1, IterationDeleted: 1 },
  },
  records: [
    defineRecords({
      kind: 'IterationCadence',
      name: 'iteration_cadences',
      about: 'How the iterations of a group follow one another.',
      key: ['cadence_id'],
      columns: {
        cadence_id: whole('cadenceId', 'Id of the cadence.'),
        group_id: reference('groupId', 'Id of the group that it is in.'),
        title: text('title', 'The title.'),
        description: text('description', 'What it is for; null if not given.'),
        start_date: text('startDate', 'First day of its first iteration; null if not given.'),
        duration_in_weeks: whole('durationInWeeks', 'Weeks that an iteration takes; null if not given.'),
        iterations_in_advance: whole(
          'iterationsInAdvance',
          'Upcoming iterations at any time; null if not given.',
        ),
        automatic: flag('automatic', 'Whether it makes its iterations by itself'),
        active: flag('active', 'Whether it goes on'),
        roll_over: flag('rollOver', 'Whether open issues go on in the next iteration'),
      },
      compare: {
        select: 'SELECT * FROM iteration_cadences WHERE ended_at IS NULL',
        key: ['cadence_id'],
        async *served(api) {
          for await (const group of api.list('/groups?order_by=id'))
            for await (const cadence of api.list(`/groups/${group.id}/iteration_cadences`)) {
              const { id, group_id, title, description, start_date, duration_in_weeks } = cadence;
              const { iterations_in_advance, automatic, active, roll_over } = cadence;
              yield {
                ...{ cadence_id: id, group_id, title, description, start_date, duration_in_weeks },
                ...{ iterations_in_advance, automatic, active, roll_over },
              };
            }
        },
      },
    }),
    defineRecords({
      kind: 'Iteration',
      name: 'iterations',
      about: 'Spans of days in which the people of a group do some of their issues.',
      key: ['iteration_id'],
      columns: {
        iteration_id: whole('iterationId', 'Id of the iteration.'),
        cadence_id: reference('cadenceId', 'Id of its cadence.'),
        group_id: reference('groupId', 'Id of the group that it is in.'),
        iid: whole('iid', 'Its number in the group.'),
        title: text('title', 'The title; null for none.'),
        description: text('description', 'What is to be reached; null if not given.'),
        start_date: text('startDate', 'First day.'),
        due_date: text('dueDate', 'Last day.'),
        has_ended: flag('hasEnded', 'Whether it is over, and its open issues went on'),
      },
      compare: {
        select: 'SELECT * FROM iterations WHERE ended_at IS NULL',
        key: ['iteration_id'],
        async *served(api) {
          for await (const group of api.list('/groups?order_by=id'))
            for await (const one of api.list(`/groups/${group.id}/iterations?include_ancestors=false`)) {
              const { id, group_id, iid, title, description, start_date, due_date } = one;
              yield { iteration_id: id, group_id, iid, title, description, start_date, due_date };
            }
        },
      },
    }),
  ],
};
