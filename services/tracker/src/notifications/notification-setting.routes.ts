import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  CUSTOM_EVENTS,
  type NotificationLevel,
  UNSENT_EVENTS,
} from '@forgelog/contracts/tracker/notification-settings/notification-levels.ts';
import {
  groupNotificationSettings,
  ownNotificationSettings,
  projectNotificationSettings,
} from '@forgelog/contracts/tracker/notification-settings/notification-setting.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  defaultChoice,
  type NotificationPlace,
  notificationPlace,
  notificationSettingDecider,
  notificationSettingStream,
} from './notification-setting.decider.ts';
import { notificationSettingKey, notificationSettings } from './notification-settings.projection.ts';

const EVENTS = [...CUSTOM_EVENTS, ...UNSENT_EVENTS];
const INSTANCE: NotificationPlace = { projectId: null, groupId: null };

interface Choice {
  params: { level?: NotificationLevel | undefined } & Partial<
    Record<(typeof EVENTS)[number], boolean | undefined>
  >;
  caller: Principal;
  metadata: EventMetadata;
}

export function notificationSettingRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, readStore } = ports;

  async function answerOf({ userId }: Principal, at: NotificationPlace, more: object = {}) {
    const place = notificationPlace(at);
    const row = await readStore.get(notificationSettings, notificationSettingKey(userId, place));
    const { level, events } = row ?? defaultChoice(place);
    const flags = Object.fromEntries(CUSTOM_EVENTS.map((name) => [name, events.includes(name)]));
    return value({ level, ...more, ...(level === 'custom' && { events: flags }) });
  }

  async function choose({ params, caller, metadata }: Choice, at: NotificationPlace): Promise<void> {
    const flags = EVENTS.flatMap((name) =>
      params[name] === undefined ? [] : [[name, params[name]] as const],
    );
    const { userId } = caller;
    await commands.handle(
      notificationSettingDecider,
      notificationSettingStream(userId, at),
      { userId, at, level: params.level, flags: Object.fromEntries(flags) },
      metadata,
    );
  }

  const emailOf = async ({ userId }: Principal) => (await directory.user(userId))?.email ?? '';

  const ownAnswer = async (caller: Principal) =>
    answerOf(caller, INSTANCE, { notification_email: await emailOf(caller) });

  const inGroup = ({ group }: Pick<ApiRequest, 'group'>) => ({ projectId: null, groupId: group.group.id });
  const inProject = ({ project }: Pick<ApiRequest, 'project'>) => ({
    projectId: project.project.id,
    groupId: null,
  });

  return [
    implement(ownNotificationSettings.get, ({ caller }) => ownAnswer(caller)),
    implement(ownNotificationSettings.set, async (request) => {
      const { notification_email: wanted } = request.params;
      const email = await emailOf(request.caller);
      if (wanted !== undefined && wanted.toLowerCase() !== email.toLowerCase()) {
        const fields = { notification_email: ['is not the address of your account'] };
        throw new Rejection('validation_failed', { fields });
      }
      await choose(request, INSTANCE);
      return ownAnswer(request.caller);
    }),

    implement(groupNotificationSettings.get, (request) => answerOf(request.caller, inGroup(request))),
    implement(groupNotificationSettings.set, async (request) => {
      await choose(request, inGroup(request));
      return answerOf(request.caller, inGroup(request));
    }),

    implement(projectNotificationSettings.get, (request) => answerOf(request.caller, inProject(request))),
    implement(projectNotificationSettings.set, async (request) => {
      await choose(request, inProject(request));
      return answerOf(request.caller, inProject(request));
    }),
  ];
}
