import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json, unchanged } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { TargetKind } from '../targets/target.ts';
import { chooseSubscription } from './subscription.commands.ts';

/** Whether the caller is told of what happens to targets of one kind. */
export function subscriptionRoutes(
  ports: ServicePorts,
  kind: TargetKind,
  { endpoints, participationOf, single }: NonNullable<TargetKind['subscriptions']>,
): Implementation[] {
  async function choose(request: ApiRequest, subscribed: boolean) {
    const target = await requireTarget(kind, ports, request);
    const participation = participationOf(target);
    if (!(await chooseSubscription(ports, target, participation, request, subscribed))) return unchanged();
    return json(await single(ports, await requireTarget(kind, ports, request), request.caller));
  }

  return [
    implement(endpoints.subscribe, (request) => choose(request, true)),
    implement(endpoints.unsubscribe, (request) => choose(request, false)),
  ];
}
