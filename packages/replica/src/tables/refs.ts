import { defineFacts, defineRecords, json, type Part, reference, text, whole } from '../table.ts';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

export const refs: Part = {
  events: { RefUpdated: 4, PushReceived: 1, RepositoryForked: 1 },
  records: [
    defineRecords({
      kind: 'Ref',
      name: 'refs',
      about: 'Branches and tags.',
      key: ['project_id', 'ref'],
      columns: {
        project_id: whole('projectId', 'Id of the project.'),
        ref: text('ref', 'Full name: `refs/heads/main`.'),
        oid: text('newOid', 'Id of the commit, or of the tag object.'),
      },
      compare: {
        select: `SELECT * FROM refs WHERE ended_at IS NULL AND (ref LIKE '${BRANCH}%' OR ref LIKE '${TAG}%')`,
        key: ['project_id', 'ref'],
        async *served(api) {
          for await (const { id } of api.list('/projects?order_by=id&simple=true')) {
            for await (const branch of api.list(`/projects/${id}/repository/branches`))
              yield { project_id: id, ref: BRANCH + branch.name, oid: branch.commit.id };
            for await (const tag of api.list(`/projects/${id}/repository/tags`))
              yield { project_id: id, ref: TAG + tag.name, oid: tag.target };
          }
        },
      },
    }),
  ],
  facts: [
    defineFacts({
      name: 'ref_updates',
      about: 'Every time a ref was created, moved or deleted.',
      key: ['position'],
      columns: {
        position: text(null, 'Place of the event in the log.'),
        time: text(null, 'When, in ISO 8601 and UTC.'),
        actor_id: whole(null, 'Id of the user who did it; null where the system did.'),
        project_id: reference('projectId', 'Id of the project.'),
        ref: text('ref', 'Full name of the ref.'),
        old_oid: text('oldOid', 'Object id before; 40 zeros for a creation.'),
        new_oid: text('newOid', 'Object id after; 40 zeros for a deletion.'),
        via: text('via', '`push` by git, `api`, or `fork` where a fork began.'),
        commit_count: whole('commitCount', 'Number of new commits, up to a limit.'),
        request_id: text(null, 'The request: all refs of a push have the same.'),
      },
      rowOf({ type, position, time, actorid = null, requestid = null, data }) {
        if (type !== 'RefUpdated') return undefined;
        const { projectId, ref, oldOid, newOid, via, commitCount } = data;
        return {
          ...{
            position,
            time,
            actor_id: actorid,
            project_id: projectId,
            ref,
            old_oid: oldOid,
            new_oid: newOid,
          },
          ...{ via, commit_count: commitCount, request_id: requestid },
        };
      },
    }),
    defineFacts({
      name: 'pushes',
      about:
        'Pushes, each with all its refs; those of before the server told them as one are in `ref_updates` alone.',
      key: ['push_id'],
      columns: {
        push_id: text('pushId', 'Id of the push.'),
        pushed_at: text(null, 'When, in ISO 8601 and UTC.'),
        actor_id: whole(null, 'Id of the user who pushed; null where the system did.'),
        project_id: reference('projectId', 'Id of the project.'),
        via: text('via', '`push` by git, or `api`.'),
        ref_count: whole('refCount', 'Number of refs that moved.'),
        commit_count: whole('commitCount', 'Number of new commits, each counted once.'),
        forced_count: whole(null, 'Number of refs that lost commits, or of tags that moved.'),
        authors: json('authors', 'Authors of the new commits by time zone, most commits first'),
        utc_offset: text(null, 'Time zone of the author of most commits, `+02:00`; null without commits.'),
      },
      rowOf({ type, time, actorid = null, data }) {
        if (type !== 'PushReceived') return undefined;
        const { pushId, projectId, via, refCount, commitCount, refs: moved, authors } = data;
        return {
          ...{ push_id: pushId, pushed_at: time, actor_id: actorid, project_id: projectId, via },
          ...{ ref_count: refCount, commit_count: commitCount },
          forced_count: moved.filter(({ forced }: { forced: boolean | null }) => forced).length,
          ...{ authors: JSON.stringify(authors), utc_offset: authors[0]?.utcOffset ?? null },
        };
      },
    }),
  ],
};
