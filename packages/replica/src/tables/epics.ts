import { defineRecords, flag, json, type Part, reference, text, timeOrSet, whole } from '../table.ts';

export const epics: Part = {
  events: { EpicOpened: 1, EpicUpdated: 1, EpicClosed: 1, EpicReopened: 1, EpicNested: 1, EpicDeleted: 1 },
  records: [
    defineRecords({
      kind: 'Epic',
      name: 'epics',
      about: 'Every epic: an aim of a group that is larger than an issue.',
      key: ['epic_id'],
      columns: {
        epic_id: whole('epicId', 'Id of the epic, unique on the instance.'),
        group_id: reference('groupId', 'Id of the group that it is in.'),
        iid: whole('iid', 'Number of the epic in its group.'),
        author_id: whole('authorId', 'Id of the author.'),
        title: text('title', 'The title.'),
        description: text('description', 'The text, in Markdown; null if not given.'),
        confidential: flag('confidential', 'Whether only members from Reporter on see it'),
        labels: json('labels', 'Titles of its labels when it got them'),
        label_ids: json('labelIds', 'Ids of its labels'),
        start_date: text('startDate', 'First day that was set; null for none.'),
        start_date_is_fixed: flag('startDateIsFixed', 'Whether that day counts'),
        due_date: text('dueDate', 'Last day that was set; null for none.'),
        due_date_is_fixed: flag('dueDateIsFixed', 'Whether that day counts'),
        parent_id: whole('parentId', 'Id of the epic that it is a part of; null for none.'),
        parent_position: text(
          'parentPosition',
          'Place in the order that people gave the parts of that epic; null for that of its id.',
        ),
        state: text('state', '`opened` or `closed`.'),
        created_at: timeOrSet('createdAt', 'When it was opened, or the time that its author set.'),
      },
      compare: {
        select: 'SELECT * FROM epics WHERE ended_at IS NULL',
        key: ['epic_id'],
        async *served(api) {
          for await (const group of api.list('/groups?order_by=id'))
            for await (const epic of api.list(`/groups/${group.id}/epics?include_descendant_groups=false`)) {
              const { id, group_id, iid, title, description, confidential, state, created_at } = epic;
              const { start_date_fixed, start_date_is_fixed, due_date_fixed, due_date_is_fixed } = epic;
              yield {
                ...{ epic_id: id, group_id, iid, title, description, confidential, state, created_at },
                ...{ start_date: start_date_fixed, start_date_is_fixed },
                ...{ due_date: due_date_fixed, due_date_is_fixed, author_id: epic.author?.id },
              };
            }
        },
      },
    }),
  ],
};
