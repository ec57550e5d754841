import type { DeploymentEvent } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { describeDeployment } from '@forgelog/contracts/ci/deployments/deployment.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { commitOf } from './commit-facts.ts';
import { type HookFacts, spokenTime } from './hook-facts.ts';

const SHORT = 8;

/** A deployment that runs or ended. */
export async function deploymentMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, DeploymentEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId, deploymentId } = event.data;
  const status = 'changes' in event.data ? event.data.changes.status : event.data.status;
  if (status === undefined || status === 'created') return [];
  const project = await facts.projectOf(projectId);
  const asked = { projectIds: [projectId], id: deploymentId };
  const { deployment } = await ports.operations.call(describeDeployment, asked, { principal: null });
  if (!project || !deployment) return [];
  const { jobId, userId, sha, ref, environment } = deployment;
  const web = facts.webUrl(project);
  const user = await facts.user(userId);
  const commit = await commitOf(ports, projectId, sha);
  const body = {
    object_kind: 'deployment',
    status,
    status_changed_at: spokenTime(event.time),
    deployment_id: deploymentId,
    deployable_id: jobId,
    deployable_url: jobId === null ? null : `${web}/-/jobs/${jobId}`,
    environment,
    project: await facts.project(project),
    short_sha: sha.slice(0, SHORT),
    user,
    user_url: user && `${facts.host}/${user.username}`,
    commit_url: `${web}/-/commit/${sha}`,
    commit_title: commit?.title ?? null,
    ref,
  };
  return [{ trigger: 'deployment_events', projectId, branch: null, body: JSON.stringify(body) }];
}
