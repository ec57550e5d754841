import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const todos: Part = {
  events: { TodoCreated: 2, TodoDone: 2, AccessTodoCreated: 1, AccessTodoDone: 1 },
  records: [
    defineRecords({
      kind: 'Todo',
      name: 'todos',
      about: 'What users have to do; done items stay.',
      key: ['todo_id'],
      columns: {
        todo_id: whole('todoId', 'Id of the to-do item.'),
        user_id: reference('userId', 'Id of the user who has to do it.'),
        author_id: whole('authorId', 'Id of the user who caused it.'),
        project_id: reference('projectId', 'Id of the project; null for access to a group.'),
        group_id: whole('groupId', 'Id of the group that somebody asks for access to.'),
        action: text(
          'action',
          'What it arose from: `assigned`, `mentioned`, `marked`, `review_requested`, `build_failed`, `member_access_requested` and others.',
        ),
        target_type: text('targetType', 'Kind of what it is about.'),
        target_id: reference('targetId', 'Id of what it is about.'),
        target_iid: whole('targetIid', 'Number of what it is about, in the project; null for access.'),
        body: text('body', 'Title of what it is about, at that time; null for access.'),
        state: text('state', '`pending` or `done`.'),
      },
      history: { name: 'todo_states', columns: ['state'] },
      compare: {
        select: 'SELECT *, began_at AS created_at FROM todos WHERE ended_at IS NULL',
        key: ['todo_id'],
        // A list leaves out what its owner may no longer see; a blocked user has none.
        isPartial: true,
        async *served(api) {
          for await (const user of api.list('/users?active=true&order_by=id'))
            for (const state of ['pending', 'done'])
              for await (const todo of api.list(`/todos?state=${state}`, { sudo: user.id }))
                yield {
                  ...{ todo_id: todo.id, user_id: user.id, state: todo.state, action: todo.action_name },
                  ...{
                    target_type: todo.target_type,
                    target_id: todo.target?.id,
                    created_at: todo.created_at,
                  },
                  ...{ project_id: todo.project?.id ?? null, group_id: todo.group?.id ?? null },
                  ...{ author_id: todo.author?.id },
                };
        },
      },
    }),
  ],
};
