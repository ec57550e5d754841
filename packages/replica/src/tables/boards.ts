import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const boards: Part = {
  events: { BoardCreated: 2, BoardUpdated: 2, BoardScoped: 1, BoardDeleted: 1 },
  records: [
    defineRecords({
      kind: 'Board',
      name: 'boards',
      about: 'Boards that show the issues of a project or a group in lists.',
      key: ['board_id'],
      columns: {
        board_id: whole('boardId', 'Id of the board.'),
        project_id: reference('projectId', 'Id of the project; null for a board of a group.'),
        group_id: reference('groupId', 'Id of the group; null for a board of a project.'),
        name: text('name', 'Name of the board.'),
        hide_backlog_list: flag('hideBacklogList', 'Whether clients leave out open issues without a list'),
        hide_closed_list: flag('hideClosedList', 'Whether clients leave out closed issues'),
        milestone_id: whole('milestoneId', 'Id of the milestone of its issues; null for any and none.'),
        assignee_id: whole('assigneeId', 'Id of the assignee of its issues; null for anybody and nobody.'),
        scope_label_ids: json('scopeLabelIds', 'Ids of the labels that all of its issues have'),
        weight: whole('weight', 'Weight of its issues; null for any and none.'),
        lists: json('lists', 'Its lists from left to right, each with what it is of'),
      },
      compare: {
        select: 'SELECT * FROM boards WHERE ended_at IS NULL',
        key: ['board_id'],
        async *served(api) {
          const columns = ({ id, name, hide_backlog_list, hide_closed_list }: Record<string, unknown>) => ({
            ...{ board_id: id, name, hide_backlog_list, hide_closed_list },
          });
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const board of api.list(`/projects/${project.id}/boards`))
              yield { project_id: project.id, group_id: null, ...columns(board) };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const board of api.list(`/groups/${group.id}/boards`))
              yield { project_id: null, group_id: group.id, ...columns(board) };
        },
      },
    }),
  ],
};
