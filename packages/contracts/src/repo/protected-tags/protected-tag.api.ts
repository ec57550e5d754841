import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, fallback, oneOfInts, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './protected-tag.examples.json' with { type: 'json' };

export const createAccessLevelView = defineView('CreateAccessLevel', {
  access_level: z.int(),
  access_level_description: z.string(),
});

/** Protected tag (companions 2.5). */
export const protectedTagView = defineView(
  'ProtectedTag',
  { name: z.string(), create_access_levels: z.array(createAccessLevelView) },
  examples.ProtectedTag,
);

const base = '/projects/:id/protected_tags';
const name = described(required(text({ max: 255 })), 'Name of the tag; `*` stands for any text', {
  examples: ['v*'],
});
const one = { id: projectId, name };
// All endpoints require Maintainer (companions 2.5).
const common = { service: 'repo', spec: 'companions 2.5', access: project('maintainer') } as const;

export const listProtectedTags = defineEndpoint({
  ...common,
  id: 'protected-tag-list',
  method: 'GET',
  path: base,
  summary: 'Protected tags and wildcards of a project, the oldest first',
  params: { id: projectId },
  pagination: 'offset',
  response: z.array(protectedTagView),
});

export const getProtectedTag = defineEndpoint({
  ...common,
  id: 'protected-tag-get',
  method: 'GET',
  path: `${base}/:name`,
  summary: 'One protected tag or wildcard, by its name',
  params: one,
  response: protectedTagView,
});

export const createProtectedTag = defineEndpoint({
  ...common,
  id: 'protected-tag-create',
  method: 'POST',
  path: base,
  summary: 'Protect a tag, or with a wildcard several; at most 500 names in a project',
  params: {
    ...one,
    create_access_level: described(
      fallback(oneOfInts(0, 30, 40), 40),
      'Who may create such tags: 0 nobody, 30 Developers and Maintainers, 40 Maintainers',
    ),
  },
  status: 201,
  otherStatuses: [422],
  response: protectedTagView,
});

export const deleteProtectedTag = defineEndpoint({
  ...common,
  id: 'protected-tag-delete',
  method: 'DELETE',
  path: `${base}/:name`,
  summary: 'End the protection of a tag or wildcard; tags stay',
  params: one,
  status: 204,
});

export const protectedTagEndpoints = [
  listProtectedTags,
  getProtectedTag,
  createProtectedTag,
  deleteProtectedTag,
];
