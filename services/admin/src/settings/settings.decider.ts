import {
  type SettingName,
  type SettingValues,
  settingOf,
} from '@forgelog/contracts/admin/settings/application-settings.ts';
import type { SettingsEvent } from '@forgelog/contracts/admin/settings/settings.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { isAddressException } from '@forgelog/service-kit/address-rules.ts';

/** What was ever set; null before. */
export type SettingsState = Partial<SettingValues> | null;

export interface SettingsCommand {
  type: 'ChangeSettings';
  /** Undefined keeps a setting. */
  changes: { [Name in SettingName]?: SettingValues[Name] | undefined };
  /** Values that hold for what was never set. */
  initial: SettingValues;
}

export const SETTINGS_STREAM = 'settings-1';

export const settingsDecider: Decider<SettingsState, SettingsCommand, SettingsEvent> = {
  initialState: null,

  decide({ changes: given, initial }, state) {
    const present = { ...initial, ...state };
    const changes = withOtherNames(given);
    requireCompanions({ ...present, ...changes });
    requireSupported(changes);
    requireValid(changes);
    const change = changesFrom<SettingValues>(present, changes as Partial<SettingValues>);
    if (change === null) return [];
    if (state === null) return [{ type: 'SettingsCreated', data: { settingsId: 1, ...change.changes } }];
    return [{ type: 'SettingsUpdated', data: { settingsId: 1, ...change } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SettingsCreated': {
        const { settingsId: _, ...set } = event.data;
        return set as Partial<SettingValues>;
      }
      case 'SettingsUpdated':
        return { ...state, ...(event.data.changes as Partial<SettingValues>) };
      default:
        return event satisfies never;
    }
  },
};

/** A setting that nothing reads keeps its value: stored, it would promise what does not happen. */
function requireSupported(changes: SettingsCommand['changes']): void {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const { support, fallback } = settingOf(name as SettingName);
    if (support === null && JSON.stringify(value) !== JSON.stringify(fallback))
      fields[name] = [`is not supported here, and stays ${JSON.stringify(fallback)}`];
  }
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

const RENAMED: readonly (readonly [now: SettingName, before: SettingName])[] = [
  ['allow_local_requests_from_web_hooks_and_services', 'allow_local_requests_from_hooks_and_services'],
  ['throttle_unauthenticated_web_enabled', 'throttle_unauthenticated_enabled'],
  ['throttle_unauthenticated_web_requests_per_period', 'throttle_unauthenticated_requests_per_period'],
  ['throttle_unauthenticated_web_period_in_seconds', 'throttle_unauthenticated_period_in_seconds'],
];

/** A setting with two names has one value: the newer name counts where both are given. */
function withOtherNames(changes: SettingsCommand['changes']): SettingsCommand['changes'] {
  const all = { ...changes };
  for (const [now, before] of RENAMED) {
    const value = changes[now] ?? changes[before];
    if (value !== undefined) Object.assign(all, { [now]: value, [before]: value });
  }
  return all;
}

const BRANCH = /^[\p{L}\p{N}_][\p{L}\p{N}_./-]{0,99}$/u;
const DURATION = /^(0|[1-9]\d{0,3} (minute|hour|day|week|month|year)s?)$/;

/** What acts must be something that it can act on. */
function requireValid({ default_branch_name: branch, ...more }: SettingsCommand['changes']): void {
  const { default_artifacts_expire_in: expiry } = more;
  const fields: Record<string, string[]> = {};
  if (branch && (!BRANCH.test(branch) || /\.\.|\/\/|[./]$|\.lock$/.test(branch)))
    fields.default_branch_name = ['is not a valid name of a branch'];
  if (more.outbound_local_requests_whitelist?.some((text) => !isAddressException(text)))
    fields.outbound_local_requests_whitelist = ['must be addresses, networks and names of hosts'];
  if (more.protected_paths?.some((path) => !path.startsWith('/')))
    fields.protected_paths = ['must begin with /'];
  if (typeof expiry === 'string' && !DURATION.test(expiry))
    fields.default_artifacts_expire_in = ['is not a duration, as `30 days`, or 0'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

/** A switch needs what it switches on [L381]. */
function requireCompanions(wanted: SettingsCommand['changes']): void {
  const fields: Record<string, string[]> = {};
  if (wanted.asset_proxy_enabled && !wanted.asset_proxy_url) fields.asset_proxy_url = ["can't be blank"];
  if (wanted.domain_denylist_enabled && !wanted.domain_denylist?.length)
    fields.domain_denylist = ["can't be blank"];
  if (wanted.throttle_protected_paths_enabled && !wanted.protected_paths?.length)
    fields.protected_paths = ["can't be blank"];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
