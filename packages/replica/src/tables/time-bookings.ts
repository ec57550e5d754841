import { defineFacts, type Part, reference, text, whole } from '../table.ts';

export const timeBookings: Part = {
  events: {
    ...{ IssueTimeSpentAdded: 1, IssueTimeSpentReset: 2 },
    ...{ MergeRequestTimeSpentAdded: 1, MergeRequestTimeSpentReset: 1 },
  },
  facts: [
    defineFacts({
      name: 'time_bookings',
      about:
        'Time spent on issues and merge requests. The sum of one is the time spent on it: a reset takes back what was.',
      key: ['position'],
      columns: {
        position: text(null, 'Place of the event in the log.'),
        time: text(null, 'When it was booked, in ISO 8601 and UTC.'),
        issue_id: reference('issueId', 'Id of the issue; null for a merge request.'),
        merge_request_id: reference('mergeRequestId', 'Id of the merge request; null for an issue.'),
        project_id: reference('projectId', 'Id of the project.'),
        user_id: whole('userId', 'Id of the user who spent it; of a reset, who did that.'),
        seconds: whole('seconds', 'Seconds, negative to take time back.'),
        summary: text('summary', 'What it was spent on; null if not given.'),
      },
      rowOf({ type, position, time, actorid = null, data }) {
        const {
          issueId: issue_id = null,
          mergeRequestId: merge_request_id = null,
          projectId: project_id,
        } = data;
        const booked = { position, time, issue_id, merge_request_id, project_id };
        if (type.endsWith('TimeSpentAdded'))
          return { ...booked, user_id: data.userId, seconds: data.seconds, summary: data.summary };
        if (!type.endsWith('TimeSpentReset')) return undefined;
        return { ...booked, user_id: actorid, seconds: -(data.previous?.timeSpent ?? 0), summary: null };
      },
    }),
  ],
};
