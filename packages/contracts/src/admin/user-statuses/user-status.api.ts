import { z } from 'zod';
import { anyone, defineEndpoint, user } from '../../endpoint.ts';
import { described, idOrPath, oneOf, text } from '../../params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { AVAILABILITIES } from './user-status.events.ts';
import examples from './user-status.examples.json' with { type: 'json' };

/** What users say of what they do just now (companions 2.2); all null where they say nothing. */
export const userStatusView = defineView(
  'UserStatus',
  {
    emoji: z.string().nullable(),
    message: z.string().nullable(),
    availability: z.enum(AVAILABILITIES).nullable(),
    message_html: z.string().nullable(),
    clear_status_at: datetimeView.nullable(),
  },
  examples.UserStatus,
);

/** After how many milliseconds a status ends. */
export const CLEARS_AFTER = {
  '30_minutes': 1_800_000,
  '3_hours': 10_800_000,
  '8_hours': 28_800_000,
  '1_day': 86_400_000,
  '3_days': 259_200_000,
  '7_days': 604_800_000,
  '30_days': 2_592_000_000,
} as const;
type Period = keyof typeof CLEARS_AFTER;

const common = { service: 'admin', spec: 'companions 2.2', response: userStatusView } as const;
const scopes = ['api', 'read_api', 'read_user'] as const;

export const getUserStatus = defineEndpoint({
  ...common,
  id: 'user-status-get',
  method: 'GET',
  path: '/users/:id/status',
  summary: 'What a user says of what they do just now',
  access: anyone,
  scopes,
  params: { id: described(idOrPath(), 'Id or username of the user') },
});

export const getOwnStatus = defineEndpoint({
  ...common,
  id: 'user-status-own',
  method: 'GET',
  path: '/user/status',
  summary: 'What the caller says of what they do just now',
  access: user,
  scopes,
  params: {},
});

export const setOwnStatus = defineEndpoint({
  ...common,
  id: 'user-status-set',
  method: 'PUT',
  path: '/user/status',
  summary: 'Say what the caller does just now; without emoji, message and availability it is cleared',
  access: user,
  params: {
    emoji: described(text({ max: 64 }), 'Name of an emoji, `speech_balloon` unless given', {
      examples: ['coffee'],
      pattern: '^[a-z0-9_+-]*$',
    }),
    message: described(text({ max: 100 }), 'Text of a line', { examples: ['Out for lunch'] }),
    availability: described(oneOf(...AVAILABILITIES), 'Whether the caller is busy; not_set unless given'),
    clear_status_after: described(
      oneOf(...(Object.keys(CLEARS_AFTER) as [Period, ...Period[]])),
      'After how long the status ends; never unless given',
    ),
  },
});

export const userStatusEndpoints = [getUserStatus, getOwnStatus, setOwnStatus];
