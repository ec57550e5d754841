import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { storedFile } from '../../shared/stored-file.ts';
import { defineView } from '../../views.ts';
import examples from './wiki-attachment.examples.json' with { type: 'json' };
import { GROUP_WIKI, PROJECT_WIKI, type WikiPlace } from './wiki-places.ts';

/** The only branch of a wiki. */
export const WIKI_BRANCH = 'main';

/** WikiAttachment [companions 2.11]. The link is relative, as pages of the wiki use it. */
export const wikiAttachmentView = defineView(
  'WikiAttachment',
  {
    file_name: z.string(),
    file_path: z.string(),
    branch: z.literal(WIKI_BRANCH),
    link: defineView('WikiAttachmentLink', { url: z.string(), markdown: z.string() }),
  },
  examples.WikiAttachment,
);

function attachmentsOf({ prefix, of, path, tier, reads, writes, where }: WikiPlace) {
  const id = `${prefix}wiki-attachment`;
  const common = { service: 'repo', tier, spec: 'companions 2.11' } as const;
  return {
    create: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path: `${path}/attachments`,
      summary: `Store a file that pages of the wiki of a ${of} show; it comes in the field \`file\`, and \`branch\` may name the wiki's only one`,
      params: where,
      bodyTypes: ['multipart/form-data'],
      status: 201,
      response: wikiAttachmentView,
    }),
    /** Answers at `…/-/wikis/uploads/…` too, as pages link it. */
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/uploads/:upload_id/:filename`,
      summary: `A stored file of the wiki of a ${of}: raster images to look at, all others to save`,
      params: { ...where, ...storedFile.params },
      ...storedFile.answers,
    }),
  };
}

export const wikiAttachments = attachmentsOf(PROJECT_WIKI);
export const groupWikiAttachments = attachmentsOf(GROUP_WIKI);

export const wikiAttachmentEndpoints = [
  ...Object.values(wikiAttachments),
  ...Object.values(groupWikiAttachments),
];
