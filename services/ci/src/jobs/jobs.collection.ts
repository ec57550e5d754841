import { jobArtifactLifetime, jobLifetime } from '@forgelog/contracts/ci/jobs/job.lifetime.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

const withItsPipeline = [
  endsWith(PipelineDeleted, ({ pipelineId }) => eq('pipelineId', pipelineId)),
  endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
];

export const jobs = defineCollection({
  name: 'jobs',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    pipelineId: 'integer',
    /** Number of the pipeline in its project. */
    iid: 'integer',
    name: 'text',
    stage: 'text',
    stageIndex: 'integer',
    kind: 'text',
    when: 'text',
    status: 'text',
    allowFailure: 'boolean',
    isRetried: 'boolean',
    retryOf: 'integer?',
    retryMax: 'integer',
    /** With whose rights it runs. */
    actorId: 'integer?',
    tags: 'text[]',
    environment: 'text?',
    /** What it does to it; null without one. */
    environmentAction: 'text?',
    resourceGroup: 'text?',
    /** Where the log gave it its resource group; null before. */
    grantedAt: 'text?',
    timeoutSeconds: 'integer',
    /** What was given when it was played, or when the job was that it is a retry of. */
    sealedVariables: 'text?',
    runnerId: 'integer?',
    /** What a bridge started; it may have been deleted. */
    downstreamProjectId: 'integer?',
    downstreamPipelineId: 'integer?',
    coverage: 'number?',
    /** What the system says that runs an external job. */
    targetUrl: 'text?',
    description: 'text?',
    failureReason: 'text?',
    createdAt: 'text',
    updatedAt: 'text',
    queuedAt: 'text?',
    startedAt: 'text?',
    finishedAt: 'text?',
    /** When a sweep has to look at it: a delayed job is due, or one that waits or runs has taken too long. */
    sweptAt: 'text?',
    logSize: 'integer?',
    logSha256: 'text?',
    erasedAt: 'text?',
    artifactsKept: 'boolean',
  },
  indexes: [
    ['projectId'],
    ['projectId', 'status'],
    ['status', 'startedAt'],
    ['projectId', 'resourceGroup', 'status'],
    ['pipelineId'],
    ['runnerId'],
    ['downstreamProjectId'],
    ['downstreamPipelineId'],
    ['sweptAt'],
  ],
  holds: { lifetime: jobLifetime },
  ownedBy: withItsPipeline,
});

export type JobRow = DocumentOf<typeof jobs>;

export const jobArtifacts = defineCollection({
  name: 'job_artifacts',
  key: 'key',
  fields: {
    /** `artifactKey` of job and type. */
    key: 'text',
    jobId: 'integer',
    pipelineId: 'integer',
    projectId: 'integer',
    fileType: 'text',
    fileFormat: 'text',
    filename: 'text',
    size: 'integer',
    sha256: 'text',
    /** Null for never, and for kept ones. */
    expiresAt: 'text?',
  },
  indexes: [['jobId'], ['pipelineId'], ['projectId'], ['sha256'], ['expiresAt']],
  holds: { lifetime: jobArtifactLifetime },
  ownedBy: withItsPipeline,
});

export type JobArtifactRow = DocumentOf<typeof jobArtifacts>;

export const artifactKey = (jobId: number, fileType: string) => `${jobId}/${fileType}`;
