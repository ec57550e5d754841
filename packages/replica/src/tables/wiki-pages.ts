import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const wikiPages: Part = {
  events: {
    ...{ WikiPageCreated: 2, WikiPageUpdated: 2, WikiPageTextCommitted: 2, WikiPageDeleted: 2 },
    ...{ GroupWikiPageCreated: 1, GroupWikiPageUpdated: 1 },
    ...{ GroupWikiPageTextCommitted: 1, GroupWikiPageDeleted: 1 },
    ...{ WikiCommitPushed: 1, GroupWikiCommitPushed: 1 },
    ...{ WikiAttachmentCreated: 1, GroupWikiAttachmentCreated: 1 },
  },
  records: [
    defineRecords({
      kind: 'WikiPage',
      name: 'wiki_pages',
      about: 'Pages of the wikis of projects and groups; their texts are in the events alone.',
      key: ['wiki_page_id'],
      columns: {
        wiki_page_id: whole('wikiPageId', 'Id of the page.'),
        project_id: whole('projectId', 'Id of the project; null for pages of groups.'),
        group_id: reference('groupId', 'Id of the group; null for pages of projects.'),
        slug: text('slug', 'Folders and title, with hyphens for spaces.'),
        format: text('format', '`markdown`, `rdoc`, `asciidoc` or `org`.'),
      },
      compare: {
        select: 'SELECT project_id, group_id, slug, format FROM wiki_pages WHERE ended_at IS NULL',
        key: ['project_id', 'group_id', 'slug'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { slug, format } of api.list(`/projects/${project.id}/wikis`))
              yield { project_id: project.id, group_id: null, slug, format };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const { slug, format } of api.list(`/groups/${group.id}/wikis`))
              yield { project_id: null, group_id: group.id, slug, format };
        },
      },
    }),
    defineRecords({
      kind: 'WikiAttachment',
      name: 'wiki_attachments',
      about: 'Files that pages of wikis show. The API does not list them.',
      key: ['attachment_id'],
      columns: {
        attachment_id: text('attachmentId', 'Id of the file: 32 hexadecimal digits, which its address has.'),
        project_id: reference('projectId', 'Id of the project; null for files of groups.'),
        group_id: reference('groupId', 'Id of the group; null for files of projects.'),
        filename: text('filename', 'Name of the file, as its address has it.'),
        size: whole('size', 'Bytes of the file.'),
        sha256: text('sha256', 'SHA-256 of the file, in hexadecimal.'),
      },
    }),
  ],
};
