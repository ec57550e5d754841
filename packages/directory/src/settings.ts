import {
  SETTING_FALLBACKS,
  type SettingName,
  type SettingValues,
} from '@forgelog/contracts/admin/settings/application-settings.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Directory } from './directory.ts';

export interface SettingPorts {
  directory: Pick<Directory, 'settings'>;
  configuration: Pick<
    Configuration,
    'MAX_UPLOAD_MB' | 'DELETION_ADJOURNED_PERIOD' | 'CI_KEEP_LATEST_ARTIFACTS'
  >;
}

/** Values that hold until somebody sets others: for some, the environment says them. */
export const initialSettings = ({ configuration }: Pick<SettingPorts, 'configuration'>): SettingValues => ({
  ...SETTING_FALLBACKS,
  max_attachment_size: configuration.MAX_UPLOAD_MB,
  deletion_adjourned_period: configuration.DELETION_ADJOURNED_PERIOD,
  keep_latest_artifact: configuration.CI_KEEP_LATEST_ARTIFACTS === 'on',
});

/** A setting of the instance as it is now. */
export async function settingNow<Name extends SettingName>(
  ports: SettingPorts,
  name: Name,
): Promise<SettingValues[Name]> {
  const set = await ports.directory.settings();
  return set[name] ?? initialSettings(ports)[name];
}

/**
 * The visibility of what somebody makes: what they ask for, or what the instance has for who asks for none, and then the
 * most open one that is not restricted. @throws 400 where the one asked for is restricted to administrators
 */
export async function allowedVisibility(
  ports: SettingPorts,
  { wanted, isAdmin, fallback }: VisibilityWish,
): Promise<Visibility> {
  const restricted = isAdmin ? [] : await settingNow(ports, 'restricted_visibility_levels');
  if (wanted !== undefined) {
    if (restricted.includes(wanted)) throw restrictedLevel(wanted);
    return wanted;
  }
  const usual = (await settingNow(ports, fallback)) as Visibility;
  return [usual, ...LEVELS].find((level) => !restricted.includes(level)) ?? usual;
}

/** @throws 400 where the level is restricted to administrators, and not what it is already */
export async function requireVisibility(
  ports: SettingPorts,
  { wanted, now, isAdmin }: { wanted: Visibility | undefined; now: string; isAdmin: boolean },
): Promise<void> {
  if (wanted === undefined || wanted === now || isAdmin) return;
  if ((await settingNow(ports, 'restricted_visibility_levels')).includes(wanted))
    throw restrictedLevel(wanted);
}

interface VisibilityWish {
  wanted: Visibility | undefined;
  isAdmin: boolean;
  fallback: 'default_project_visibility' | 'default_group_visibility' | 'default_snippet_visibility';
}

const LEVELS: readonly Visibility[] = ['public', 'internal', 'private'];

const restrictedLevel = (level: Visibility) =>
  new Rejection('validation_failed', {
    fields: { visibility_level: [`${level} has been restricted by your administrator`] },
  });
