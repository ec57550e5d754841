import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  CUSTOM_EVENTS,
  type CustomEvent,
  type NotificationLevel,
} from '@forgelog/contracts/tracker/notification-settings/notification-levels.ts';
import type { NotificationSettingEvent } from '@forgelog/contracts/tracker/notification-settings/notification-setting.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** What one user chose in one place; null before the first choice. */
export type NotificationSettingState = NotificationChoice | null;

export interface NotificationChoice {
  level: NotificationLevel;
  events: readonly CustomEvent[];
}

/** One of both ids for a place; none for the instance. */
export interface NotificationPlace {
  projectId: number | null;
  groupId: number | null;
}

export interface ChooseNotifications {
  userId: number;
  at: NotificationPlace;
  level?: NotificationLevel | undefined;
  flags: Readonly<Record<string, boolean>>;
}

const INSTANCE = 'instance';

export function notificationPlace({ projectId, groupId }: NotificationPlace): string {
  if (projectId !== null) return `project-${projectId}`;
  return groupId === null ? INSTANCE : `group-${groupId}`;
}

export const notificationSettingStream = (userId: number, at: NotificationPlace) =>
  `notificationSetting-${userId}-${notificationPlace(at)}`;

/** What holds where nobody chose. */
export const defaultChoice = (place: string): NotificationChoice => ({
  level: place === INSTANCE ? 'participating' : 'global',
  // Whoever chooses events goes on learning what became of their own pipelines.
  events: ['failed_pipeline', 'fixed_pipeline'],
});

export const notificationSettingDecider: Decider<
  NotificationSettingState,
  ChooseNotifications,
  NotificationSettingEvent
> = {
  initialState: null,

  decide({ userId, at, level, flags }, state) {
    const place = notificationPlace(at);
    const before = state ?? defaultChoice(place);
    const after = { level: level ?? before.level, events: eventsAfter(before.events, flags) };
    requireActing(after.level, flags, place);
    const change = changesFrom<NotificationChoice>(before, after);
    if (change === null) return [];
    const ids = { userId, place, ...at };
    if (state === null) return [{ type: 'NotificationSettingChosen', data: { ...ids, ...after } }];
    const data = { ...ids, ...change } as Extract<
      NotificationSettingEvent,
      { type: 'NotificationSettingChanged' }
    >['data'];
    return [{ type: 'NotificationSettingChanged', data }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'NotificationSettingChosen': {
        const { level, events } = event.data;
        return { level, events };
      }
      case 'NotificationSettingChanged':
        return state && { ...state, ...event.data.changes };
      default:
        return event satisfies never;
    }
  },
};

const isCustomEvent = (name: string): name is CustomEvent =>
  (CUSTOM_EVENTS as readonly string[]).includes(name);

function eventsAfter(before: readonly CustomEvent[], flags: Readonly<Record<string, boolean>>) {
  return CUSTOM_EVENTS.filter((name) => flags[name] ?? before.includes(name));
}

/** @throws 400 for what would be stored and do nothing */
function requireActing(
  level: NotificationLevel,
  flags: Readonly<Record<string, boolean>>,
  place: string,
): void {
  const fields: Record<string, string[]> = {};
  if (level === 'global' && place === INSTANCE) fields.level = ['cannot be global here: nothing is above'];
  for (const [name, wanted] of Object.entries(flags))
    if (!isCustomEvent(name) && wanted) fields[name] = ['is not supported here, and stays false'];
    else if (isCustomEvent(name) && level !== 'custom') fields[name] = ['acts at the level custom alone'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
