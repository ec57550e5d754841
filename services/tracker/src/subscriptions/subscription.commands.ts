import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Target } from '../targets/target.ts';
import { type Participation, takesPart } from './subscribed.ts';
import { subscriptionDecider, subscriptionStream } from './subscription.decider.ts';

/** @returns whether it changed anything */
export async function chooseSubscription(
  { commands }: Pick<ServicePorts, 'commands'>,
  { projectId, type, id, iid }: Target,
  participation: Participation,
  { caller, metadata }: { caller: Principal; metadata: EventMetadata },
  subscribed: boolean,
): Promise<boolean> {
  const { userId } = caller;
  const { events } = await commands.handle(
    subscriptionDecider,
    subscriptionStream(userId, { type, id }),
    {
      ...{ userId, subscribed, on: { projectId, type, id, iid } },
      takesPart: takesPart(participation, caller),
    },
    metadata,
  );
  return events.length > 0;
}
