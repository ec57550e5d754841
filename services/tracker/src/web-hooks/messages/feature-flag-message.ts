import type { FeatureFlagUpdated } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { describeFeatureFlag } from '@forgelog/contracts/ci/feature-flags/feature-flag.operations.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import type { HookFacts } from './hook-facts.ts';

/** A feature flag that was switched on or off; other changes of it are not told of. */
export async function featureFlagMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, EventOf<typeof FeatureFlagUpdated>['data']>,
): Promise<HookMessage[]> {
  const { projectId, featureFlagId, changes } = event.data;
  if (changes.active === undefined) return [];
  const project = await facts.projectOf(projectId);
  const asked = { projectIds: [projectId], id: featureFlagId };
  const { featureFlag } = await ports.operations.call(describeFeatureFlag, asked, { principal: null });
  if (!project || !featureFlag) return [];
  const { id, name, description } = featureFlag;
  const user = await facts.user(facts.actorOf(event));
  const body = {
    object_kind: 'feature_flag',
    project: await facts.project(project),
    user,
    user_url: user && `${facts.host}/${user.username}`,
    object_attributes: { id, name, description, active: changes.active },
  };
  return [{ trigger: 'feature_flag_events', projectId, branch: null, body: JSON.stringify(body) }];
}
