import { defineRecords, flag, json, type Part, reference, text, timeOrSet, whole } from '../table.ts';

export const mergeRequests: Part = {
  events: {
    ...{ MergeRequestCreated: 2, MergeRequestUpdated: 2, MergeRequestClosed: 1, MergeRequestReopened: 1 },
    ...{ MergeRequestDeleted: 1, MergeRequestTimeEstimateSet: 1, MergeRequestMergeStarted: 1 },
    ...{ MergeRequestMerged: 1, MergeRequestMergeFailed: 1 },
    ...{ MergeRequestApproved: 1, MergeRequestApprovalRevoked: 1, MergeRequestApprovalEnded: 1 },
    ...{ MergeRequestAutoMergeSet: 1, MergeRequestAutoMergeCanceled: 1 },
  },
  records: [
    defineRecords({
      kind: 'MergeRequest',
      name: 'merge_requests',
      about: 'Every merge request.',
      key: ['merge_request_id'],
      columns: {
        merge_request_id: whole('mergeRequestId', 'Id of the merge request, unique on the instance.'),
        project_id: reference('projectId', 'Id of the project that it merges into.'),
        iid: whole('iid', 'Number of the merge request in its project.'),
        author_id: whole('authorId', 'Id of the author.'),
        source_project_id: whole('sourceProjectId', 'Id of the project that its source branch is in.'),
        source_branch: text('sourceBranch', 'Name of the branch that it merges.'),
        target_branch: text('targetBranch', 'Name of the branch that it merges into.'),
        title: text('title', 'The title.'),
        description: text('description', 'The text, in Markdown; null if not given.'),
        labels: json('labels', 'Titles of its labels when it got them'),
        label_ids: json('labelIds', 'Ids of its labels'),
        assignee_ids: json('assigneeIds', 'Ids of the users whom it is assigned to'),
        reviewer_ids: json('reviewerIds', 'Ids of the users who are asked to review it'),
        milestone_id: whole('milestoneId', 'Id of the milestone; null for none.'),
        squash: flag('squash', 'Whether merging squashes its commits'),
        remove_source_branch: flag('removeSourceBranch', 'Whether merging deletes its source branch'),
        allow_collaboration: flag('allowCollaboration', 'Whether others may push to its source branch'),
        approvals_before_merge: whole(
          'approvalsBeforeMerge',
          'Approvals that it needs; null for its project’s.',
        ),
        discussion_locked: flag('discussionLocked', 'Whether only members may comment'),
        state: text('state', '`opened`, `closed`, `locked` while it is being merged, or `merged`.'),
        time_estimate: whole('timeEstimate', 'Estimate in seconds; 0 for none.'),
        created_at: timeOrSet('createdAt', 'When it was opened, or the time that was set.'),
        closed_at: text(null, 'When it was closed; null while it is open.'),
        closed_by_id: whole(null, 'Id of the user who closed it; null where the system did.'),
        merged_at: text(null, 'When it was merged; null before.'),
        merged_by_id: whole(null, 'Id of the user who merged it; null where the system did.'),
        merge_commit_sha: text(null, 'The merge commit; null if there is none.'),
        squash_commit_sha: text(null, 'The squashed commit; null if there is none.'),
      },
      history: { name: 'merge_request_states', columns: ['state'] },
      on: {
        MergeRequestClosed: ({ time, data }) => ({ closed_at: time, closed_by_id: data.closedById }),
        MergeRequestReopened: () => ({ closed_at: null, closed_by_id: null }),
        MergeRequestMerged: ({ time, data }) => ({
          ...{ merged_at: time, merged_by_id: data.mergedById },
          ...{ merge_commit_sha: data.mergeCommitSha, squash_commit_sha: data.squashCommitSha },
        }),
      },
      compare: {
        select: `SELECT *,
  (SELECT COUNT(*) FROM merge_request_approvals AS approvals
    WHERE approvals.merge_request_id = merge_requests.merge_request_id AND approvals.ended_at IS NULL) AS approvals
FROM merge_requests WHERE ended_at IS NULL`,
        key: ['merge_request_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const request of api.list(`/projects/${project.id}/merge_requests?scope=all`)) {
              const { id, iid, project_id, title, description, labels, state, created_at, closed_at } =
                request;
              const { source_project_id, source_branch, target_branch, squash, discussion_locked } = request;
              const approvals = await api.get(`/projects/${project.id}/merge_requests/${iid}/approvals`);
              yield {
                ...{ merge_request_id: id, iid, project_id, title, description, labels, state },
                ...{ source_project_id, source_branch, target_branch, squash, discussion_locked },
                ...{ created_at, closed_at, allow_collaboration: request.allow_collaboration },
                ...{ merged_at: request.merged_at, merge_commit_sha: request.merge_commit_sha },
                remove_source_branch: request.force_remove_source_branch,
                author_id: request.author?.id,
                closed_by_id: request.closed_by?.id ?? null,
                assignee_ids: request.assignees.map((user: { id: number }) => user.id),
                reviewer_ids: request.reviewers.map((user: { id: number }) => user.id),
                time_estimate: request.time_stats.time_estimate,
                approvals: approvals.approved_by.length,
              };
            }
        },
      },
    }),
    defineRecords({
      kind: 'MergeRequestApproval',
      name: 'merge_request_approvals',
      about: 'Who approves which merge request. Their numbers are compared with those of `merge_requests`.',
      key: ['merge_request_id', 'user_id'],
      columns: {
        merge_request_id: reference('mergeRequestId', 'Id of the merge request.'),
        user_id: whole('userId', 'Id of the user.'),
        project_id: reference('projectId', 'Id of the project that it merges into.'),
        sha: text('sha', 'Commit that was approved.'),
      },
    }),
    defineRecords({
      kind: 'MergeRequestAutoMerge',
      name: 'merge_request_auto_merges',
      about: 'Which merge requests are merged when their pipeline succeeds; one that is merged no longer is.',
      key: ['merge_request_id'],
      columns: {
        merge_request_id: reference('mergeRequestId', 'Id of the merge request.'),
        project_id: reference('projectId', 'Id of the project that it merges into.'),
        user_id: whole('userId', 'Id of the user who set it.'),
        sha: text('sha', 'Commit that is to be merged.'),
      },
    }),
  ],
};
