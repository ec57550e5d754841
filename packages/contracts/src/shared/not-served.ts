/**
 * Settings that enable a feature this server does not serve yet, with the value that means "off". Answers show that
 * value, because clients decide by it what to offer. The caller's own value is kept for the day the feature is
 * served; that day its line here is deleted.
 */
export const NOT_SERVED: Readonly<Record<string, 'disabled' | false>> = {
  analytics_access_level: 'disabled',
  auto_devops_enabled: false,
  container_registry_access_level: 'disabled',
  lfs_enabled: false,
  mirror: false,
  pages_access_level: 'disabled',
  requirements_access_level: 'disabled',
  service_desk_enabled: false,
};

/** The settings as answered. null, which leaves the decision to another level, stays null. */
export function servedSettings<Settings extends object>(settings: Settings): Settings {
  const answered = Object.entries(settings).map(([name, value]) => [
    name,
    value !== null && Object.hasOwn(NOT_SERVED, name) ? NOT_SERVED[name] : value,
  ]);
  return Object.fromEntries(answered) as Settings;
}

/** Invalidates answers that were stored with another list. */
export const SERVED_VERSION = `not served: ${Object.keys(NOT_SERVED).join(' ')}`;
