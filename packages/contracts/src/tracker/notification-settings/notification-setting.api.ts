import { z } from 'zod';
import { type Access, defineEndpoint, group, project, user } from '../../endpoint.ts';
import { bool, described, oneOf, type Params, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { ABOUT_EVENTS, CUSTOM_EVENTS, NOTIFICATION_LEVELS, UNSENT_EVENTS } from './notification-levels.ts';
import examples from './notification-setting.examples.json' with { type: 'json' };

type Flags<Names extends string, Value> = { [Name in Names]: Value };

const chosenEventsView = defineView(
  'NotificationEvents',
  Object.fromEntries(CUSTOM_EVENTS.map((name) => [name, z.boolean()])) as Flags<
    (typeof CUSTOM_EVENTS)[number],
    z.ZodBoolean
  >,
);

/** Events are told at the level `custom`. */
export const notificationSettingView = defineView(
  'NotificationSetting',
  { level: z.enum(NOTIFICATION_LEVELS), events: chosenEventsView.optional() },
  examples.NotificationSetting,
);

export const ownNotificationSettingView = defineView(
  'OwnNotificationSetting',
  {
    level: z.enum(NOTIFICATION_LEVELS),
    notification_email: z.string(),
    events: chosenEventsView.optional(),
  },
  examples.OwnNotificationSetting,
);

const EVENTS = [...CUSTOM_EVENTS, ...UNSENT_EVENTS] as const;
const flags = Object.fromEntries(
  EVENTS.map((name) => [name, described(bool(), `At the level \`custom\`, tell of ${ABOUT_EVENTS[name]}`)]),
) as Flags<(typeof EVENTS)[number], ReturnType<typeof bool>>;

const choice = {
  level: described(
    oneOf(...NOTIFICATION_LEVELS),
    'What the caller is told of by mail; `global` is what the place above says',
    { examples: ['watch'] },
  ),
  ...flags,
};

interface Place<Where extends Params, Own extends Params> {
  id: string;
  of: string;
  path: string;
  access: Access;
  where: Where;
  own: Own;
  view: z.ZodObject;
}

function settingEndpoints<const Where extends Params, const Own extends Params>(place: Place<Where, Own>) {
  const { id, of, path, access, where, own, view } = place;
  const common = {
    ...({ service: 'tracker', spec: 'companions 2.11' } as const),
    access,
    path: `${path}/notification_settings`,
    response: view,
  };
  return {
    get: defineEndpoint({
      ...common,
      id: `${id}-get`,
      method: 'GET',
      summary: `What the caller is told of by mail ${of}`,
      params: where,
    }),
    set: defineEndpoint({
      ...common,
      id: `${id}-set`,
      method: 'PUT',
      summary: `Choose what the caller is told of by mail ${of}`,
      params: { ...where, ...own, ...choice },
    }),
  };
}

export const ownNotificationSettings = settingEndpoints({
  id: 'notification-settings',
  of: 'where no group or project says otherwise',
  path: '',
  access: user,
  where: {},
  own: {
    notification_email: described(text({ max: 255 }), 'Where mail goes: the address of the account alone', {
      examples: ['ada@example.org'],
    }),
  },
  view: ownNotificationSettingView,
});

export const groupNotificationSettings = settingEndpoints({
  id: 'group-notification-settings',
  of: 'in a group and below',
  path: '/groups/:id',
  access: group('anyone', { signedIn: true }),
  where: { id: groupId },
  own: {},
  view: notificationSettingView,
});

export const projectNotificationSettings = settingEndpoints({
  id: 'project-notification-settings',
  of: 'in a project',
  path: '/projects/:id',
  access: project('anyone', { signedIn: true }),
  where: { id: projectId },
  own: {},
  view: notificationSettingView,
});

export const notificationSettingEndpoints = [
  ownNotificationSettings,
  groupNotificationSettings,
  projectNotificationSettings,
].flatMap(({ get, set }) => [get, set]);
