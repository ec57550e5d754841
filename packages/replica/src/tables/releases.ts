import type { RestApi } from '../rest-api.ts';
import { defineRecords, json, type Part, reference, text, whole } from '../table.ts';

async function* listed(api: RestApi) {
  for await (const { id } of api.list('/projects?order_by=id&simple=true'))
    for await (const release of api.list(`/projects/${id}/releases`)) yield { projectId: id, release };
}

const ofRelease = {
  release_id: reference('releaseId', 'Id of the release.'),
  project_id: reference('projectId', 'Id of the project.'),
};

export const releases: Part = {
  events: {
    ...{ ReleaseCreated: 2, ReleaseUpdated: 2, ReleaseDeleted: 1, ReleaseEvidenceCreated: 1 },
    ...{ ReleaseLinkAdded: 1, ReleaseLinkUpdated: 1, ReleaseLinkRemoved: 1 },
  },
  records: [
    defineRecords({
      kind: 'Release',
      name: 'releases',
      about: 'What was delivered: tags with notes.',
      key: ['release_id'],
      columns: {
        release_id: whole('releaseId', 'Id of the release.'),
        project_id: reference('projectId', 'Id of the project.'),
        tag_name: text('tagName', 'Name of its tag.'),
        author_id: reference('userId', 'Id of the user who released it.'),
        name: text('name', 'Name of the release.'),
        description: text('description', 'What is new, in Markdown; null if nothing was said.'),
        released_at: text('releasedAt', 'When it is or was ready.'),
        milestone_ids: json('milestoneIds', 'Ids of its milestones, also of deleted ones'),
      },
      compare: {
        select: 'SELECT * FROM releases WHERE ended_at IS NULL',
        key: ['project_id', 'tag_name'],
        async *served(api) {
          for await (const { projectId, release } of listed(api)) {
            const { tag_name, author, name, description, released_at } = release;
            yield {
              ...{ project_id: projectId, tag_name, author_id: author.id },
              ...{ name, description, released_at },
            };
          }
        },
      },
    }),
    defineRecords({
      kind: 'ReleaseLink',
      name: 'release_links',
      about: 'Links to what belongs to a release.',
      key: ['release_link_id'],
      columns: {
        release_link_id: whole('releaseLinkId', 'Id of the link.'),
        ...ofRelease,
        name: text('name', 'Name of the link, unique in the release.'),
        url: text('url', 'Where the link leads.'),
        filepath: text('filepath', 'Path below the permanent address of the release; null without one.'),
        link_type: text('linkType', '`other`, `runbook`, `image` or `package`.'),
      },
      compare: {
        select: 'SELECT * FROM release_links WHERE ended_at IS NULL',
        key: ['release_link_id'],
        async *served(api) {
          for await (const { projectId, release } of listed(api))
            for (const { id, name, url, link_type } of release.assets.links)
              yield { release_link_id: id, project_id: projectId, name, url, link_type };
        },
      },
    }),
    defineRecords({
      kind: 'ReleaseEvidence',
      name: 'release_evidences',
      about: 'Snapshots of what was released.',
      key: ['release_evidence_id'],
      columns: {
        release_evidence_id: whole('releaseEvidenceId', 'Id of the evidence.'),
        ...ofRelease,
        sha: text('sha', 'SHA-256 of the snapshot.'),
        snapshot: text('snapshot', 'Release, commit, links and project at that time, in JSON.'),
      },
    }),
  ],
};
