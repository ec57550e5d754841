import { defineFacts, defineRecords, defineView, type Part, reference, text, whole } from '../table.ts';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

export const refs: Part = {
  events: { RefUpdated: 1 },
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
        via: text('via', '`push` by git, or `api`.'),
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
  ],
  views: [
    defineView({
      name: 'pushes',
      about:
        'Pushes by git, each with all its refs: `push_id`, `pushed_at`, `actor_id`, `project_id`, `ref_count`, `commit_count`.',
      sql: `SELECT COALESCE(request_id, position) AS push_id, MIN(time) AS pushed_at, actor_id, project_id,
  COUNT(*) AS ref_count, SUM(commit_count) AS commit_count
FROM ref_updates WHERE via = 'push' GROUP BY COALESCE(request_id, position), actor_id, project_id`,
    }),
  ],
};
