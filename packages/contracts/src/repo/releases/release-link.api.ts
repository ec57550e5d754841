import { z } from 'zod';
import { atLeastOne, defineEndpoint } from '../../endpoint.ts';
import { described, fallback, int, oneOf, required, text, url } from '../../params.ts';
import { defineView } from '../../views.ts';
import { oneRelease, readsReleases, writesReleases } from './release.params.ts';
import examples from './release-link.examples.json' with { type: 'json' };

export const RELEASE_LINK_TYPES = ['other', 'runbook', 'image', 'package'] as const;

/** Link of a release (companions 2.6). `direct_asset_url` stays the same when `url` changes, if it has a `filepath`. */
export const releaseLinkView = defineView(
  'ReleaseLink',
  {
    id: z.int(),
    name: z.string(),
    url: z.string(),
    external: z.boolean(),
    link_type: z.enum(RELEASE_LINK_TYPES),
    direct_asset_url: z.string(),
  },
  examples.ReleaseLink,
);

const name = text({ max: 255 });
const address = url({ schemes: ['http', 'https', 'ftp'], max: 2048 });
const type = oneOf(...RELEASE_LINK_TYPES);
const NAME = 'What people read, unique in the release';
const ADDRESS = 'Where the link leads, unique in the release';
const shown = {
  filepath: described(text({ max: 1024 }), 'Path for a permanent address: `/bin/linux-amd64`', {
    examples: ['/bin/linux-amd64'],
  }),
};
const TYPE = 'What it leads to';
const examplesOf = {
  name: { examples: ['Linux binary'] },
  url: { examples: ['https://example.com/linux-amd64'] },
};

export const releaseLinkParams = {
  name: described(required(name), NAME, examplesOf.name),
  url: described(required(address), ADDRESS, examplesOf.url),
  ...shown,
  link_type: described(fallback(type, 'other'), TYPE),
};

const base = '/projects/:id/releases/:tag_name/assets/links';
const one = { ...oneRelease, link_id: described(required(int({ min: 1 })), 'Id of the link') };
const common = { spec: 'companions 2.6' } as const;

export const listReleaseLinks = defineEndpoint({
  ...readsReleases,
  ...common,
  id: 'release-link-list',
  method: 'GET',
  path: base,
  summary: 'Links of a release, the newest first',
  params: oneRelease,
  pagination: 'offset',
  response: z.array(releaseLinkView),
});

export const getReleaseLink = defineEndpoint({
  ...readsReleases,
  ...common,
  id: 'release-link-get',
  method: 'GET',
  path: `${base}/:link_id`,
  summary: 'One link of a release',
  params: one,
  response: releaseLinkView,
});

export const createReleaseLink = defineEndpoint({
  ...writesReleases,
  ...common,
  id: 'release-link-create',
  method: 'POST',
  path: base,
  summary: 'Add a link to a release',
  params: { ...oneRelease, ...releaseLinkParams },
  status: 201,
  response: releaseLinkView,
});

export const updateReleaseLink = defineEndpoint({
  ...writesReleases,
  ...common,
  id: 'release-link-update',
  method: 'PUT',
  path: `${base}/:link_id`,
  summary: 'Change a link of a release',
  params: {
    ...one,
    name: described(name, NAME, examplesOf.name),
    url: described(address, ADDRESS, examplesOf.url),
    ...shown,
    link_type: described(type, TYPE),
  },
  rules: [atLeastOne('name', 'url', 'filepath', 'link_type')],
  response: releaseLinkView,
});

export const deleteReleaseLink = defineEndpoint({
  ...writesReleases,
  ...common,
  id: 'release-link-delete',
  method: 'DELETE',
  path: `${base}/:link_id`,
  summary: 'Delete a link of a release',
  params: one,
  response: releaseLinkView,
});

export const releaseLinkEndpoints = [
  listReleaseLinks,
  getReleaseLink,
  createReleaseLink,
  updateReleaseLink,
  deleteReleaseLink,
];
