import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const deployments: Part = {
  events: { DeploymentCreated: 1, DeploymentUpdated: 1 },
  records: [
    defineRecords({
      kind: 'Deployment',
      name: 'deployments',
      about: 'Commits that were deployed to environments.',
      key: ['deployment_id'],
      columns: {
        deployment_id: whole('deploymentId', 'Id of the deployment.'),
        project_id: reference('projectId', 'Id of the project.'),
        iid: whole('iid', 'Number, unique in the project.'),
        environment_id: reference('environmentId', 'Id of the environment.'),
        job_id: reference('jobId', 'Id of the job that deploys; null for deployments from outside.'),
        user_id: reference('userId', 'Id of the user who deploys; null for nobody.'),
        ref: text('ref', 'Branch or tag that is deployed.'),
        is_tag: flag('isTag', 'Whether the ref is a tag'),
        sha: text('sha', 'Id of the commit.'),
        status: text('status', '`created`, `running`, `success`, `failed` or `canceled`.'),
        finished_at: text('finishedAt', 'When it ended; null before.'),
      },
      history: { name: 'deployment_statuses', columns: ['status'] },
    }),
  ],
};
