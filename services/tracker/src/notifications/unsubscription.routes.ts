import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  askToUnsubscribe,
  unsubscribeByMail,
} from '@forgelog/contracts/tracker/notification-mails/unsubscription.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { pageOfMail } from '@forgelog/service-kit/html.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { subscriptionDecider, subscriptionStream } from '../subscriptions/subscription.decider.ts';
import { rowOf } from './audience.ts';
import { notificationSettingDecider, notificationSettingStream } from './notification-setting.decider.ts';
import { isTarget, type Unsubscription, unsubscriptionTokens } from './unsubscription.ts';

/** The owner of a mail ends the mails about the same, and learns nothing else by it. */
export function unsubscriptionRoutes(ports: ServicePorts): Implementation[] {
  const { commands, configuration, directory } = ports;
  const tokens = unsubscriptionTokens(configuration);

  async function requireOne(token: string): Promise<Unsubscription> {
    const one = tokens.read(token);
    const user = one && (await directory.user(one.userId));
    if (!user || user.state === 'deleted') throw new Rejection('not_found', { what: 'Notification' });
    return one;
  }

  async function isThere({ from }: Unsubscription): Promise<boolean> {
    if (isTarget(from)) return (await rowOf(ports, from)) !== undefined;
    const { projectId, groupId } = from;
    const place = projectId === null ? directory.namespace(groupId!) : directory.project(projectId);
    return (await place) !== undefined;
  }

  async function end({ userId, from }: Unsubscription, metadata: EventMetadata): Promise<void> {
    if (isTarget(from)) {
      const command = { userId, subscribed: false, takesPart: true, on: from };
      await commands.handle(subscriptionDecider, subscriptionStream(userId, from), command, metadata);
    } else {
      const command = { userId, at: from, level: 'disabled' as const, flags: {} };
      await commands.handle(
        notificationSettingDecider,
        notificationSettingStream(userId, from),
        command,
        metadata,
      );
    }
  }

  return [
    implement(askToUnsubscribe, async ({ params }) => {
      await requireOne(params.token);
      return pageOfMail(
        'Mails',
        '<form method="post"><p>Do you want no more mails about this?</p><button>Unsubscribe</button></form>',
      );
    }),

    implement(unsubscribeByMail, async ({ params, metadata }) => {
      const one = await requireOne(params.token);
      // What is gone has no mails to end.
      if (await isThere(one)) await end(one, metadata);
      return pageOfMail('Mails', '<p>You get no more mails about this.</p>');
    }),
  ];
}
