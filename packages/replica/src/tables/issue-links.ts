import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const issueLinks: Part = {
  events: { IssueLinkCreated: 1, IssueLinkDeleted: 1 },
  records: [
    defineRecords({
      kind: 'IssueLink',
      name: 'issue_links',
      about: 'Links of two issues: one that blocks the other is the source.',
      key: ['issue_link_id'],
      columns: {
        issue_link_id: whole('issueLinkId', 'Id of the link.'),
        source_issue_id: reference('sourceIssueId', 'Id of the issue that it was made from, or that blocks.'),
        target_issue_id: reference('targetIssueId', 'Id of the other issue.'),
        link_type: text('linkType', '`relates_to` or `blocks`.'),
      },
      compare: {
        select: 'SELECT * FROM issue_links WHERE ended_at IS NULL',
        key: ['issue_link_id'],
        async *served(api) {
          const links = new Map<unknown, Record<string, unknown>>();
          // Each end names the link in its own words.
          for await (const { id, project_id, iid } of api.list('/issues?scope=all'))
            for await (const { issue_link_id, link_type } of api.list(
              `/projects/${project_id}/issues/${iid}/links`,
            ))
              if (link_type !== 'is_blocked_by' && !links.has(issue_link_id))
                links.set(issue_link_id, {
                  issue_link_id,
                  link_type,
                  ...(link_type === 'blocks' && { source_issue_id: id }),
                });
          yield* links.values();
        },
      },
    }),
  ],
};
