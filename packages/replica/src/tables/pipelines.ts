import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const pipelines: Part = {
  events: { PipelineCreated: 1, PipelineStatusChanged: 1, PipelineDeleted: 1 },
  records: [
    defineRecords({
      kind: 'Pipeline',
      name: 'pipelines',
      about: 'Runs of the jobs of a commit.',
      key: ['pipeline_id'],
      columns: {
        pipeline_id: whole('pipelineId', 'Id of the pipeline.'),
        project_id: reference('projectId', 'Id of the project.'),
        iid: whole('iid', 'Number, unique in the project.'),
        ref: text('ref', 'Branch or tag.'),
        ref_kind: text('refKind', '`branch`, `tag` or `merge_request`.'),
        sha: text('sha', 'Id of the commit.'),
        source: text('source', 'What caused it, such as `push`.'),
        user_id: reference('userId', 'Id of the user with whose rights it runs; null for nobody.'),
        yaml_errors: text('yamlErrors', 'What is wrong with its configuration; null for a valid one.'),
        status: text('status', 'The status, such as `running`.'),
        created_at: text('createdAt', 'When it was created.'),
        started_at: text('startedAt', 'When its first job started; null before.'),
        finished_at: text('finishedAt', 'When it finished; null before.'),
        duration: whole('duration', 'Seconds in which its jobs ran; null before its end.'),
        queued_duration: whole('queuedDuration', 'Seconds until its first job started; null before.'),
        parent: json('parent', 'Job of another pipeline that started it'),
      },
      history: { name: 'pipeline_statuses', columns: ['status'] },
    }),
  ],
};

export const jobs: Part = {
  events: {
    ...{ JobCreated: 1, JobReset: 1, JobWaitsForResource: 1, JobQueued: 1, JobScheduled: 1 },
    ...{ JobMadeManual: 1, JobSkipped: 1, JobStarted: 1, JobSucceeded: 1, JobFailed: 1, JobCanceled: 1 },
    ...{ JobPlayed: 1, JobRetried: 1, JobArtifactAdded: 1, JobArtifactsKept: 1, JobArtifactDeleted: 1 },
    ...{ JobReturned: 1, JobReopened: 1, JobDescribed: 1, JobLogArchived: 1, JobErased: 1 },
  },
  records: [
    defineRecords({
      kind: 'Job',
      name: 'jobs',
      about: 'Jobs of pipelines; a retry is a job of its own.',
      key: ['job_id'],
      columns: {
        job_id: whole('jobId', 'Id of the job.'),
        pipeline_id: reference('pipelineId', 'Id of the pipeline.'),
        project_id: reference('projectId', 'Id of the project.'),
        name: text('name', 'Name.'),
        stage: text('stage', 'Name of its stage.'),
        user_id: reference('userId', 'Id of the user with whose rights it runs; null for nobody.'),
        runner_id: reference('runnerId', 'Id of its runner; null before.'),
        status: text('status', 'The status, such as `running`.'),
        allow_failure: flag('allowFailure', 'Whether the pipeline may pass without it'),
        is_retried: flag('isRetried', 'Whether a newer job took its place'),
        retry_of: whole('retryOf', 'Id of the job that it is a retry of; null for none.'),
        queued_at: text('queuedAt', 'When it became pending; null before.'),
        started_at: text('startedAt', 'When a runner started it; null before.'),
        finished_at: text('finishedAt', 'When it ended; null before.'),
        failure_reason: text('failureReason', 'Why it failed; null if it did not.'),
        exit_code: whole('exitCode', 'Exit code of its script; null if not known.'),
      },
      history: { name: 'job_statuses', columns: ['status'] },
    }),
    defineRecords({
      kind: 'JobArtifact',
      name: 'job_artifacts',
      about: 'Archives and reports that jobs left behind.',
      key: ['job_id', 'file_type'],
      columns: {
        job_id: reference('jobId', 'Id of the job.'),
        file_type: text('fileType', 'What it is, such as `archive` or `junit`.'),
        pipeline_id: reference('pipelineId', 'Id of the pipeline.'),
        project_id: reference('projectId', 'Id of the project.'),
        filename: text('filename', 'Name of the file.'),
        size: whole('size', 'Bytes of the file.'),
        expires_at: text('expiresAt', 'When it expires unless it is kept; null for never.'),
      },
    }),
  ],
};
