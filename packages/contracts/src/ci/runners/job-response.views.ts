import { z } from 'zod';
import { defineView } from '../../views.ts';
import examples from './job-response.examples.json' with { type: 'json' };

const port = defineView('JobPort', { number: z.int(), protocol: z.string(), name: z.string() });
const image = {
  name: z.string(),
  entrypoint: z.array(z.string()).nullable(),
  ports: z.array(port),
};
const variable = defineView('JobResponseVariable', {
  key: z.string(),
  value: z.string(),
  public: z.boolean(),
  masked: z.boolean(),
  file: z.boolean(),
});
const step = defineView('JobStep', {
  name: z.string(),
  script: z.array(z.string()),
  timeout: z.int(),
  when: z.enum(['on_success', 'always']),
  allow_failure: z.boolean(),
});
const artifact = defineView('JobResponseArtifact', {
  name: z.string().nullable(),
  untracked: z.boolean(),
  paths: z.array(z.string()),
  exclude: z.array(z.string()),
  when: z.enum(['on_success', 'on_failure', 'always']),
  expire_in: z.string().nullable(),
  artifact_type: z.string(),
  artifact_format: z.enum(['zip', 'gzip', 'raw']),
});
const cache = defineView('JobCache', {
  key: z.string(),
  untracked: z.boolean(),
  policy: z.enum(['pull', 'push', 'pull-push']),
  paths: z.array(z.string()),
  when: z.enum(['on_success', 'on_failure', 'always']),
});
const dependency = defineView('JobDependency', {
  id: z.int(),
  name: z.string(),
  token: z.string(),
  artifacts_file: defineView('JobDependencyFile', { filename: z.string(), size: z.int() }),
});

/** All that an agent needs to execute a job [companions 5]. */
export const jobResponseView = defineView(
  'JobResponse',
  {
    id: z.int(),
    token: z.string(),
    allow_git_fetch: z.boolean(),
    job_info: defineView('JobInfo', {
      id: z.int(),
      name: z.string(),
      stage: z.string(),
      project_id: z.int(),
      project_name: z.string(),
    }),
    git_info: defineView('JobGitInfo', {
      repo_url: z.string(),
      ref: z.string(),
      sha: z.string(),
      before_sha: z.string(),
      ref_type: z.enum(['branch', 'tag']),
      refspecs: z.array(z.string()),
      depth: z.int(),
    }),
    runner_info: defineView('JobRunnerInfo', { timeout: z.int(), runner_session_url: z.null() }),
    variables: z.array(variable),
    steps: z.array(step),
    image: defineView('JobImage', image).nullable(),
    services: z.array(
      defineView('JobService', {
        ...image,
        alias: z.string().nullable(),
        command: z.array(z.string()).nullable(),
        variables: z.array(defineView('JobServiceVariable', { key: z.string(), value: z.string() })),
      }),
    ),
    artifacts: z.array(artifact),
    cache: z.array(cache),
    /** For a registry of images, which does not exist here. */
    credentials: z.array(z.never()),
    dependencies: z.array(dependency),
    features: defineView('JobServerFeatures', {
      trace_sections: z.literal(true),
      failure_reasons: z.array(z.string()),
    }),
  },
  examples.JobResponse,
);

export type JobResponse = z.output<typeof jobResponseView>;
