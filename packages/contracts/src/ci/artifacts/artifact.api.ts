import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { jobView } from '../jobs/job.views.ts';

const ofJob = '/projects/:id/jobs/:job_id/artifacts';
const ofRef = '/projects/:id/jobs/artifacts/:ref_name';

const jobId = described(required(int({ min: 1 })), 'Id of the job');
const path = described(required(text({ max: 4096 })), 'Path of the file in the archive');
const newest = {
  id: projectId,
  ref_name: described(required(text({ max: 1024 })), 'Name of a branch or tag'),
  job: described(required(text({ max: 255 })), 'Name of the job', { examples: ['build'] }),
};

const reading = {
  service: 'ci',
  access: project('anyone', { feature: 'builds' }),
  jobToken: true,
} as const;
const archive = { otherStatuses: [206, 304, 416], mediaTypes: ['application/zip'] };
const file = {
  otherStatuses: [304],
  mediaTypes: ['application/octet-stream', 'text/plain', 'application/json'],
};

export const downloadArtifacts = defineEndpoint({
  ...reading,
  ...archive,
  id: 'artifact-download',
  method: 'GET',
  path: ofJob,
  summary: 'The archive of a job',
  spec: 'api-v4 L291',
  params: { id: projectId, job_id: jobId },
});

export const downloadNewestArtifacts = defineEndpoint({
  ...reading,
  ...archive,
  id: 'artifact-download-by-ref',
  method: 'GET',
  path: `${ofRef}/download`,
  summary: 'The archive of a job of the newest pipeline of a ref that succeeded, or of its child pipelines',
  spec: 'api-v4 L292',
  params: newest,
});

export const getArtifactFile = defineEndpoint({
  ...reading,
  ...file,
  id: 'artifact-file',
  method: 'GET',
  path: `${ofJob}/*artifact_path`,
  summary: 'One file out of the archive of a job',
  spec: 'api-v4 L293',
  params: { id: projectId, job_id: jobId, artifact_path: path },
});

export const getNewestArtifactFile = defineEndpoint({
  ...reading,
  ...file,
  id: 'artifact-file-by-ref',
  method: 'GET',
  path: `${ofRef}/raw/*artifact_path`,
  summary: 'One file out of the archive that the download by ref gives',
  spec: 'api-v4 L294',
  params: { ...newest, artifact_path: path },
});

export const keepArtifacts = defineEndpoint({
  service: 'ci',
  access: project('developer', { feature: 'builds' }),
  id: 'artifact-keep',
  method: 'POST',
  path: `${ofJob}/keep`,
  summary: 'Keep the artifacts of a job beyond their expiry',
  spec: 'api-v4 L295',
  params: { id: projectId, job_id: jobId },
  response: jobView,
});

export const deleteArtifacts = defineEndpoint({
  service: 'ci',
  access: project('maintainer', { feature: 'builds' }),
  id: 'artifact-delete',
  method: 'DELETE',
  path: ofJob,
  summary: 'Delete the artifacts of a job',
  spec: 'api-v4 L296',
  params: { id: projectId, job_id: jobId },
  status: 204,
});

export const artifactEndpoints = [
  downloadArtifacts,
  downloadNewestArtifacts,
  getArtifactFile,
  getNewestArtifactFile,
  keepArtifacts,
  deleteArtifacts,
];
