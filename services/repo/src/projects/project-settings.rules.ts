import {
  EXPIRATION_DEFAULTS,
  PROJECT_SETTING_DEFAULTS,
} from '@forgelog/contracts/repo/projects/project-settings.fields.ts';
import {
  ADMINISTRATOR_SETTINGS,
  FEATURE_FLAGS,
  PREMIUM_SETTINGS,
  projectSettingParams,
} from '@forgelog/contracts/repo/projects/project-settings.params.ts';
import { servedSettings } from '@forgelog/contracts/shared/not-served.ts';

/** Settings by their names in the API. Only values that differ from the defaults are stored. */
export type ProjectSettings = Readonly<Record<string, unknown>>;

export function settingsOf(stored: ProjectSettings): Record<string, unknown> {
  return { ...PROJECT_SETTING_DEFAULTS, ...stored };
}

/** Settings for an answer. Features that are not implemented are off. */
export function answeredSettings(stored: ProjectSettings): Record<string, unknown> {
  return servedSettings(settingsOf(stored));
}

/**
 * Reads settings from a request, under their canonical names. Deprecated flags become access levels and `tag_list`
 * becomes `topics`, unless the new parameter is present too [L542]. Settings that the caller may not set, or that the
 * edition lacks, are ignored. So is the storage, which a project cannot change.
 */
export function requestedSettings(
  params: Readonly<Record<string, unknown>>,
  caller: { isAdmin: boolean; isPremium: boolean },
  current: ProjectSettings,
): Record<string, unknown> {
  const wanted: Record<string, unknown> = {};
  for (const name of Object.keys(projectSettingParams))
    if (params[name] !== undefined) wanted[name] = params[name];
  for (const [feature, flag] of Object.entries(FEATURE_FLAGS)) {
    const isOn = wanted[flag];
    delete wanted[flag];
    if (isOn !== undefined) wanted[`${feature}_access_level`] ??= isOn ? 'enabled' : 'disabled';
  }
  const {
    tag_list: tags,
    container_expiration_policy_attributes: expiration,
    repository_storage: _,
    ...settings
  } = wanted;
  if (tags !== undefined) settings.topics ??= tags;
  if (settings.topics !== undefined) settings.topics = [...new Set(settings.topics as string[])];
  if (expiration !== undefined) {
    const before = (current.container_expiration_policy ?? EXPIRATION_DEFAULTS) as object;
    settings.container_expiration_policy = { ...before, ...(expiration as object) };
  }
  if (!caller.isPremium) for (const name of PREMIUM_SETTINGS) delete settings[name];
  if (!caller.isAdmin) for (const name of ADMINISTRATOR_SETTINGS) delete settings[name];
  return settings;
}
