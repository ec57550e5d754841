import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, int, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';

const common = {
  service: 'ci',
  method: 'GET',
  spec: 'companions 2.9',
  access: project('anyone', { feature: 'builds' }),
  otherStatuses: [304],
  mediaTypes: ['image/svg+xml'],
} as const;

const params = {
  id: projectId,
  ref: described(required(text({ max: 1024 }), { blank: true }), 'Branch or tag', { examples: ['main'] }),
  key_text: described(text({ max: 64 }), 'The left text', { examples: ['build'] }),
  key_width: described(int({ min: 1, max: 512 }), 'Width of the left part in pixels', { examples: [80] }),
  style: described(
    fallback(oneOf('flat', 'flat-square'), 'flat'),
    'Whether its corners are round, with a gradient',
  ),
};

/** Answers at `/<path of the project>/badges/<ref>/pipeline.svg` too, as people embed it. */
export const getPipelineBadge = defineEndpoint({
  ...common,
  id: 'badge-pipeline',
  path: '/projects/:id/badges/pipeline.svg',
  summary: 'Image with the status of the newest pipeline of a branch or tag',
  params: {
    ...params,
    ignore_skipped: described(fallback(bool(), false), 'Whether skipped pipelines do not count'),
  },
});

/** Answers at `/<path of the project>/badges/<ref>/coverage.svg` too. */
export const getCoverageBadge = defineEndpoint({
  ...common,
  id: 'badge-coverage',
  path: '/projects/:id/badges/coverage.svg',
  summary: 'Image with the coverage of the newest pipeline of a branch or tag that succeeded',
  params: { ...params, job: described(text({ max: 255 }), 'Name of a job, whose coverage alone is told') },
});

export const badgeImageEndpoints = [getPipelineBadge, getCoverageBadge];
