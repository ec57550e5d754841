import { defineRecords, flag, json, type Part, reference, text, timeOrSet, whole } from '../table.ts';

export const issues: Part = {
  events: {
    ...{ IssueOpened: 2, IssueUpdated: 3, IssueClosed: 2, IssueReopened: 2, IssueDeleted: 1 },
    ...{ IssueTimeEstimateSet: 2, IssueCopied: 1, IssueMoved: 1, IssueReordered: 1, IssueEpicSet: 1 },
    IssueIterationSet: 1,
  },
  records: [
    defineRecords({
      kind: 'Issue',
      name: 'issues',
      about: 'Every issue.',
      key: ['issue_id'],
      columns: {
        issue_id: whole('issueId', 'Id of the issue, unique on the instance.'),
        project_id: reference('projectId', 'Id of the project.'),
        iid: whole('iid', 'Number of the issue in its project.'),
        author_id: whole('authorId', 'Id of the author.'),
        title: text('title', 'The title.'),
        description: text('description', 'The text, in Markdown; null if not given.'),
        issue_type: text('issueType', '`issue`, `incident` or `test_case`.'),
        confidential: flag('confidential', 'Whether only some may see it'),
        labels: json('labels', 'Titles of its labels when it got them'),
        label_ids: json('labelIds', 'Ids of its labels'),
        assignee_ids: json('assigneeIds', 'Ids of the users whom it is assigned to'),
        milestone_id: whole('milestoneId', 'Id of the milestone; null for none.'),
        due_date: text('dueDate', 'Day on which it is due; null for none.'),
        weight: whole('weight', 'Weight; null for none.'),
        discussion_locked: flag('discussionLocked', 'Whether only members may comment'),
        state: text('state', '`opened` or `closed`.'),
        time_estimate: whole('timeEstimate', 'Estimate in seconds; 0 for none.'),
        moved_to_id: whole('movedToId', 'Id of the issue that it goes on as; null where it was not moved.'),
        relative_position: text(
          'relativePosition',
          'Place in the order that people gave; null for that of its number.',
        ),
        epic_id: whole('epicId', 'Id of the epic that it is in; null for none.'),
        epic_position: text(
          'epicPosition',
          'Place in the order that people gave the issues of the epic; null for that of its id.',
        ),
        iteration_id: whole('iterationId', 'Id of the iteration that it is in; null for none.'),
        created_at: timeOrSet('createdAt', 'When it was opened, or the time that its author set.'),
        closed_at: text(null, 'When it was closed; null while it is open.'),
        closed_by_id: whole(null, 'Id of the user who closed it; null where the system did.'),
      },
      history: { name: 'issue_states', columns: ['state'] },
      on: {
        IssueClosed: ({ time, data }) => ({ closed_at: time, closed_by_id: data.closedById }),
        IssueReopened: () => ({ closed_at: null, closed_by_id: null }),
      },
      compare: {
        select: `SELECT *,
  (SELECT COALESCE(SUM(seconds), 0) FROM time_bookings WHERE time_bookings.issue_id = issues.issue_id) AS spent
FROM issues WHERE ended_at IS NULL`,
        key: ['issue_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const issue of api.list(`/projects/${project.id}/issues?scope=all`)) {
              const { id, iid, project_id, title, description, issue_type, confidential, labels } = issue;
              const { due_date, weight, state, created_at, closed_at, time_stats } = issue;
              yield {
                ...{ issue_id: id, iid, project_id, title, description, issue_type, confidential, labels },
                ...{ due_date, weight, state, created_at, closed_at },
                moved_to_id: issue.moved_to_id,
                author_id: issue.author?.id,
                closed_by_id: issue.closed_by?.id ?? null,
                assignee_ids: issue.assignees.map((user: { id: number }) => user.id),
                discussion_locked: issue.discussion_locked,
                time_estimate: time_stats.time_estimate,
                spent: time_stats.total_time_spent,
              };
            }
        },
      },
    }),
  ],
};
