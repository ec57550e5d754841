import { z } from 'zod';
import { defineEndpoint, runningJob } from '../../endpoint.ts';
import { bool, type Decoded, described, fallback, int, oneOf, required, text } from '../../params.ts';

/* What runners upload and download, with the token of a running job (companions.md 5). */

/** The archive, what is in it, and the reports. */
const ARTIFACT_TYPES = [
  'archive',
  'metadata',
  'accessibility',
  'api_fuzzing',
  'browser_performance',
  'cluster_applications',
  'cluster_image_scanning',
  'cobertura',
  'codequality',
  'container_scanning',
  'coverage_fuzzing',
  'dast',
  'dependency_scanning',
  'dotenv',
  'junit',
  'license_management',
  'license_scanning',
  'load_performance',
  'lsif',
  'metrics',
  'performance',
  'requirements',
  'sast',
  'secret_detection',
  'terraform',
] as const;

const common = { service: 'ci', access: runningJob, spec: 'companions 5' } as const;
const one = {
  id: described(required(int({ min: 1 })), 'Id of the job'),
  token: described(text({ max: 255 }), 'Token of a running job, for runners that do not send the header'),
};
const type = described(fallback(oneOf(...ARTIFACT_TYPES), 'archive'), 'What the file is');

export const artifactDescription = {
  artifact_type: type,
  artifact_format: described(fallback(oneOf('zip', 'gzip', 'raw'), 'zip'), 'Format of the file'),
  expire_in: described(text({ max: 255 }), 'How long it is kept, such as `3 days`; `never` for always'),
};
export type ArtifactDescription = Decoded<typeof artifactDescription>;

export const uploadArtifact = defineEndpoint({
  ...common,
  id: 'job-artifact-upload',
  method: 'POST',
  path: '/jobs/:id/artifacts',
  summary: 'Store a file of a running job, for its runner',
  params: {
    ...one,
    ...artifactDescription,
  },
  bodyTypes: ['multipart/form-data'],
  status: 201,
  otherStatuses: [405],
  response: z.literal('201').meta({ examples: ['201'] }),
});

export const authorizeArtifact = defineEndpoint({
  ...common,
  id: 'job-artifact-authorize',
  method: 'POST',
  path: '/jobs/:id/artifacts/authorize',
  summary: 'Ask whether a file of this size would be taken',
  params: {
    ...one,
    artifact_type: type,
    filesize: described(int({ min: 0 }), 'Bytes of the file', { examples: [1024] }),
  },
  otherStatuses: [405],
  response: z.literal('200').meta({ examples: ['200'] }),
});

export const downloadDependency = defineEndpoint({
  ...common,
  id: 'job-artifact-download',
  method: 'GET',
  path: '/jobs/:id/artifacts',
  summary: 'The archive of a job that another job needs',
  params: {
    ...one,
    direct_download: described(bool(), 'Whether another address may be answered; this server sends the file'),
  },
  otherStatuses: [206, 304, 416],
  mediaTypes: ['application/zip'],
});

export const runnerArtifactEndpoints = [uploadArtifact, authorizeArtifact, downloadDependency];
