import { z } from 'zod';
import { type Access, defineEndpoint, group, project } from '../../endpoint.ts';
import { described, int, nullable, type Params, required, text, url } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './badge.examples.json' with { type: 'json' };

const rendered = {
  link_url: z.string(),
  image_url: z.string(),
  rendered_link_url: z.string(),
  rendered_image_url: z.string(),
};

/** Badge (companions 2.3). The rendered addresses have values of a project in place of its placeholders. */
export const badgeView = defineView(
  'Badge',
  { id: z.int(), name: z.string().nullable(), ...rendered, kind: z.enum(['project', 'group']) },
  examples.Badge,
);
export const badgePreviewView = defineView('BadgePreview', rendered, examples.BadgePreview);

const PLACEHOLDERS = 'placeholders such as `%{project_path}` are replaced';
const name = described(nullable(text({ max: 255 })), 'Name of the badge', { examples: ['coverage'] });
const linkUrl = described(url(), `Where the badge leads to; ${PLACEHOLDERS}`, {
  examples: ['https://ci.example.org/%{project_path}'],
});
const imageUrl = described(url(), `Address of the image; ${PLACEHOLDERS}`, {
  examples: ['https://ci.example.org/%{project_path}/%{default_branch}/coverage.svg'],
});
const badge_id = described(required(int()), 'Id of the badge');

interface Place<Where extends Params> {
  id: string;
  of: string;
  /** What a list and a single read find. */
  shown: string;
  path: string;
  reads: Access;
  writes: Access;
  where: Where;
}

function badgesOf<const Where extends Params>({ id, of, shown, path, reads, writes, where }: Place<Where>) {
  const common = { service: 'repo', spec: 'companions 2.3' } as const;
  return {
    list: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Badges ${shown}, the oldest first`,
      params: { ...where, name: described(text({ max: 255 }), 'Only badges of this name') },
      pagination: 'offset',
      response: z.array(badgeView),
    }),
    get: defineEndpoint({
      ...common,
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:badge_id`,
      summary: `One badge ${shown}`,
      params: { ...where, badge_id },
      response: badgeView,
    }),
    render: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-render`,
      method: 'GET',
      path: `${path}/render`,
      summary: `What a badge ${of} would look like, without adding it`,
      params: { ...where, link_url: required(linkUrl), image_url: required(imageUrl) },
      response: badgePreviewView,
    }),
    create: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Add a badge ${of}`,
      params: { ...where, name, link_url: required(linkUrl), image_url: required(imageUrl) },
      status: 201,
      response: badgeView,
    }),
    update: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-update`,
      method: 'PUT',
      path: `${path}/:badge_id`,
      summary: `Change a badge ${of}`,
      params: { ...where, badge_id, name, link_url: linkUrl, image_url: imageUrl },
      response: badgeView,
    }),
    delete: defineEndpoint({
      ...common,
      access: writes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:badge_id`,
      summary: `Delete a badge ${of}`,
      params: { ...where, badge_id },
      status: 204,
    }),
  };
}

export const projectBadges = badgesOf({
  id: 'project-badge',
  of: 'of a project',
  shown: 'of a project and of the groups above it',
  path: '/projects/:id/badges',
  reads: project('anyone'),
  writes: project('maintainer'),
  where: { id: projectId },
});

export const groupBadges = badgesOf({
  id: 'group-badge',
  of: 'of a group',
  shown: 'of a group',
  path: '/groups/:id/badges',
  reads: group('anyone'),
  writes: group('owner'),
  where: { id: groupId },
});

export const badgeEndpoints = [projectBadges, groupBadges].flatMap((place) => Object.values(place));
