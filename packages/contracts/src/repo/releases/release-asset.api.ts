import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { releaseView } from './release.api.ts';
import { oneRelease, readsReleases, writesReleases } from './release.params.ts';
import examples from './release-asset.examples.json' with { type: 'json' };

/** The permanent address of a link. It answers at `/<path of the project>/-/releases/…` too. */
export const downloadReleaseAsset = defineEndpoint({
  ...readsReleases,
  id: 'release-download',
  method: 'GET',
  path: '/projects/:id/releases/:tag_name/downloads/*filepath',
  summary: 'Leads to where the link with this path leads now, by the header Location',
  spec: 'companions 2.6',
  params: {
    ...oneRelease,
    filepath: described(required(text({ max: 1024 })), 'The `filepath` of the link', {
      examples: ['bin/linux-amd64'],
    }),
  },
  status: 302,
  headers: { Location: 'The `url` of the link' },
});

/** The text whose SHA-256 the release shows, byte by byte. It answers at `/<path>/-/releases/…` with `.json` too. */
export const getReleaseEvidence = defineEndpoint({
  service: 'repo',
  access: project('anyone', { feature: 'repository' }),
  jobToken: true,
  id: 'release-evidence-get',
  method: 'GET',
  path: '/projects/:id/releases/:tag_name/evidences/:evidence_id',
  summary: 'A snapshot of what was released',
  spec: 'api-v4 L60',
  params: { ...oneRelease, evidence_id: described(required(int({ min: 1 })), 'Id of the evidence') },
  otherStatuses: [304],
  mediaTypes: ['application/json'],
});

export const collectReleaseEvidence = defineEndpoint({
  ...writesReleases,
  id: 'release-evidence-collect',
  method: 'POST',
  path: '/projects/:id/releases/:tag_name/evidence',
  summary: 'Take one more snapshot of a release',
  spec: 'companions 2.6',
  tier: 'premium',
  params: oneRelease,
  response: releaseView,
});

/** JSON Feed 1.1, as readers of feeds understand it. */
const releaseFeedView = defineView(
  'ReleaseFeed',
  {
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: z.string(),
    feed_url: z.string(),
    items: z.array(
      defineView('ReleaseFeedItem', {
        id: z.string(),
        url: z.string(),
        title: z.string(),
        content_html: z.string(),
        date_published: datetimeView,
        date_modified: datetimeView,
        authors: z.array(defineView('ReleaseFeedAuthor', { name: z.string(), url: z.string() })),
      }),
    ),
  },
  examples.ReleaseFeed,
);

export const getReleaseFeed = defineEndpoint({
  ...readsReleases,
  id: 'release-feed',
  method: 'GET',
  path: '/projects/:id/releases.json',
  summary: 'The newest releases that are out, as a JSON Feed; at `/<path>/-/releases.json` too',
  spec: 'companions 2.6',
  params: { id: projectId },
  response: releaseFeedView,
});

export const releaseAssetEndpoints = [
  getReleaseFeed,
  downloadReleaseAsset,
  getReleaseEvidence,
  collectReleaseEvidence,
];
