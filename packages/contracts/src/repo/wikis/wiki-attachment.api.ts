import { z } from 'zod';
import { type Access, defineEndpoint, group, project, type Tier } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { RASTER_TYPES } from '../../shared/raster-types.ts';
import { defineView } from '../../views.ts';
import examples from './wiki-attachment.examples.json' with { type: 'json' };

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

interface Place {
  id: string;
  of: string;
  path: string;
  tier: Tier;
  reads: Access;
  writes: Access;
  where: { id: typeof projectId | typeof groupId };
}

function attachmentsOf({ id, of, path, tier, reads, writes, where }: Place) {
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
      params: {
        ...where,
        upload_id: described(required(text({ max: 64 })), 'The 32 hexadecimal digits in its address', {
          examples: ['66dbcd21ec5d24ed6ea225176098d52b'],
        }),
        filename: described(required(text({ max: 1024 })), 'Name of the file, as its address has it', {
          examples: ['sketch.png'],
        }),
      },
      otherStatuses: [206, 304, 416],
      mediaTypes: ['application/octet-stream', ...RASTER_TYPES],
    }),
  };
}

export const wikiAttachments = attachmentsOf({
  id: 'wiki-attachment',
  of: 'project',
  path: '/projects/:id/wikis',
  tier: 'free',
  reads: project('anyone', { feature: 'wiki' }),
  writes: project('developer', { feature: 'wiki' }),
  where: { id: projectId },
});

export const groupWikiAttachments = attachmentsOf({
  id: 'group-wiki-attachment',
  of: 'group',
  path: '/groups/:id/wikis',
  tier: 'premium',
  reads: group('anyone'),
  writes: group('developer'),
  where: { id: groupId },
});

export const wikiAttachmentEndpoints = [
  ...Object.values(wikiAttachments),
  ...Object.values(groupWikiAttachments),
];
