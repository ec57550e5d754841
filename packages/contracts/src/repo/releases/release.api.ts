import { z } from 'zod';
import { atLeastOne, defineEndpoint } from '../../endpoint.ts';
import { bool, datetime, described, fallback, hash, list, oneOf, text } from '../../params.ts';
import { descending, projectId } from '../../shared/common.params.ts';
import { milestoneWithStatsView } from '../../tracker/milestones/milestone.api.ts';
import { MILESTONE_BOUNDS } from '../../tracker/milestones/milestone.operations.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { detailedCommitView } from '../commits/commit.api.ts';
import examples from './release.examples.json' with { type: 'json' };
import { oneRelease, readsReleases, writesReleases } from './release.params.ts';
import { releaseLinkParams, releaseLinkView } from './release-link.api.ts';

/** Release [L60]. Callers who do not see the code get neither commit, paths, sources nor evidences. */
export const releaseView = defineView(
  'Release',
  {
    tag_name: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    description_html: z.string().optional(),
    created_at: datetimeView,
    released_at: datetimeView,
    upcoming_release: z.boolean(),
    author: userView,
    commit: detailedCommitView.nullable().optional(),
    milestones: z.array(milestoneWithStatsView),
    commit_path: z.string().optional(),
    tag_path: z.string().optional(),
    assets: defineView('ReleaseAssets', {
      count: z.int(),
      sources: z
        .array(
          defineView('ReleaseSource', {
            format: z.enum(['zip', 'tar.gz', 'tar.bz2', 'tar']),
            url: z.string(),
          }),
        )
        .optional(),
      links: z.array(releaseLinkView),
      evidence_file_path: z.string().optional(),
    }),
    evidences: z
      .array(
        defineView('ReleaseEvidence', {
          sha: z.string().regex(/^[0-9a-f]{64}$/),
          filepath: z.string(),
          collected_at: datetimeView,
        }),
      )
      .optional(),
    _links: defineView('ReleaseLinks', { self: z.string(), edit_url: z.string().optional() }),
  },
  examples.Release,
);

const base = '/projects/:id/releases';
const html = described(fallback(bool(), false), 'Adds `description_html`, the description as HTML');
const attributes = {
  name: described(text({ max: 255 }), 'Name of the release; that of its tag by default', {
    examples: ['The first one'],
  }),
  description: described(text(), 'What is new, in Markdown'),
  milestones: described(
    list(text({ max: 255 }), { max: MILESTONE_BOUNDS.titles }),
    'Titles of milestones of the project or of groups above it; all that it then has',
    { examples: [[]] },
  ),
  released_at: described(datetime(), 'When it is or was ready; a time to come makes an upcoming release'),
};

export const listReleases = defineEndpoint({
  ...readsReleases,
  id: 'release-list',
  method: 'GET',
  path: base,
  summary: 'Releases of a project, the newest first',
  spec: 'api-v4 L227',
  params: {
    id: projectId,
    order_by: described(
      fallback(oneOf('released_at', 'created_at'), 'released_at'),
      'What the order goes by',
    ),
    sort: descending,
    include_html_description: html,
  },
  pagination: 'offset',
  response: z.array(releaseView),
});

export const getRelease = defineEndpoint({
  ...readsReleases,
  id: 'release-get',
  method: 'GET',
  path: `${base}/:tag_name`,
  summary: 'The release of a tag',
  spec: 'api-v4 L228',
  params: { ...oneRelease, include_html_description: html },
  response: releaseView,
});

export const createRelease = defineEndpoint({
  ...writesReleases,
  id: 'release-create',
  method: 'POST',
  path: base,
  summary: 'Release a tag, which is made from `ref` if it does not exist',
  spec: 'api-v4 L229',
  params: {
    ...oneRelease,
    ...attributes,
    ref: described(text({ max: 1024 }), 'Branch, tag or commit to tag, needed where the tag does not exist', {
      examples: ['main'],
    }),
    tag_message: described(text(), 'Message of a new annotated tag; without it the tag is light'),
    assets: described(
      hash({
        links: described(list(hash(releaseLinkParams), { max: 100 }), 'Links to what belongs to the release'),
      }),
      'What belongs to the release',
    ),
  },
  status: 201,
  otherStatuses: [422],
  response: releaseView,
});

export const updateRelease = defineEndpoint({
  ...writesReleases,
  id: 'release-update',
  method: 'PUT',
  path: `${base}/:tag_name`,
  summary: 'Change a release',
  spec: 'companions 2.6',
  params: { ...oneRelease, ...attributes },
  rules: [atLeastOne('name', 'description', 'milestones', 'released_at')],
  response: releaseView,
});

export const deleteRelease = defineEndpoint({
  ...writesReleases,
  id: 'release-delete',
  method: 'DELETE',
  path: `${base}/:tag_name`,
  summary: 'Delete a release; its tag stays',
  spec: 'companions 2.6',
  params: oneRelease,
  response: releaseView,
});

export const releaseEndpoints = [listReleases, getRelease, createRelease, updateRelease, deleteRelease];
