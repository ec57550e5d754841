import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, fallback, oneOf, required, text } from '../../params.ts';
import { descending, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { commitView, readsRepository, writesRepository } from '../commits/commit.api.ts';
import { signatureView } from '../signatures/signature.views.ts';
import examples from './tag.examples.json' with { type: 'json' };

/** Tag (companions 3). `commit` is null for a tag of another kind of object. */
export const tagView = defineView(
  'Tag',
  {
    name: z.string(),
    message: z.string(),
    target: z.string(),
    commit: commitView.nullable(),
    release: defineView('TagRelease', {
      tag_name: z.string(),
      description: z.string().nullable(),
    }).nullable(),
    protected: z.boolean(),
  },
  examples.Tag,
);

const base = '/projects/:id/repository/tags';
const name = text({ max: 1024 });
const one = {
  id: projectId,
  tag_name: described(required(name), 'Name of the tag', { examples: ['v1.0.0'] }),
};

export const listTags = defineEndpoint({
  ...readsRepository,
  id: 'tag-list',
  method: 'GET',
  path: base,
  summary: 'Tags, the newest commit first',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    order_by: described(fallback(oneOf('updated', 'name', 'version'), 'updated'), 'What the order goes by'),
    sort: descending,
    search: described(name, 'Only names that hold this; `^` marks their beginning, `$` their end'),
  },
  pagination: 'offset',
  cursor: 'page_token',
  response: z.array(tagView),
});

export const getTag = defineEndpoint({
  ...readsRepository,
  id: 'tag-get',
  method: 'GET',
  path: `${base}/:tag_name`,
  summary: 'One tag',
  spec: 'companions 2.5',
  params: one,
  response: tagView,
});

export const createTag = defineEndpoint({
  ...writesRepository,
  id: 'tag-create',
  method: 'POST',
  path: base,
  summary: 'Tag a commit; with a message, by an annotated tag',
  spec: 'companions 2.5',
  params: {
    ...one,
    ref: described(required(name), 'Branch, tag or commit to tag', { examples: ['main'] }),
    message: described(text(), 'Message of an annotated tag; without it the tag is light', {
      examples: ['First release'],
    }),
  },
  status: 201,
  response: tagView,
});

export const deleteTag = defineEndpoint({
  ...writesRepository,
  id: 'tag-delete',
  method: 'DELETE',
  path: `${base}/:tag_name`,
  summary: 'Delete a tag',
  spec: 'companions 2.5',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const getTagSignature = defineEndpoint({
  ...readsRepository,
  id: 'tag-signature',
  method: 'GET',
  path: `${base}/:tag_name/signature`,
  summary: 'Signature of a tag, and whether it is verified',
  spec: 'beyond the specification, for newer clients',
  params: one,
  response: signatureView,
});

export const tagEndpoints = [listTags, getTag, createTag, deleteTag, getTagSignature];
