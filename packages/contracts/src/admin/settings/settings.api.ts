import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { described, type Param } from '../../params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { SETTING_FALLBACKS, SETTING_NAMES, type SettingName, settingOf } from './application-settings.ts';

const each = <T>(value: (name: SettingName) => T) =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, value(name)])) as Record<SettingName, T>;

/** Application settings [L380]; the times are those of the first and the last change, null before. */
export const settingsView = defineView(
  'ApplicationSettings',
  {
    id: z.int(),
    created_at: datetimeView.nullable(),
    updated_at: datetimeView.nullable(),
    ...each((name) => settingOf(name).schema),
  },
  { id: 1, created_at: null, updated_at: null, ...SETTING_FALLBACKS },
);

const aboutOf = (name: SettingName) => {
  const { about, support } = settingOf(name);
  return support === null ? `${about}; not supported here` : about;
};

const one = { service: 'admin', access: administrator, path: '/application/settings' } as const;

export const getSettings = defineEndpoint({
  ...one,
  id: 'settings-get',
  method: 'GET',
  summary: 'Settings of the instance',
  spec: 'api-v4 L380',
  params: {},
  response: settingsView,
});

export const updateSettings = defineEndpoint({
  ...one,
  id: 'settings-update',
  method: 'PUT',
  summary: 'Change settings of the instance; one that is not supported keeps its value, or is refused',
  spec: 'api-v4 L381',
  params: each(
    (name): Param<unknown> =>
      described(
        settingOf(name).param,
        aboutOf(name),
        name === 'sign_in_text' ? { examples: ['Welcome'] } : {},
      ),
  ),
  response: settingsView,
});

export const settingsEndpoints = [getSettings, updateSettings];
