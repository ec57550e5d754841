/**
 * Settings of projects and groups that switch on what this server does not serve yet, and how each reads when it is off.
 * They answer so whatever callers set: clients read them to decide what to offer. What was set is kept, and counts from
 * the day its part is served. That day its line is deleted here, and nothing else has to change.
 */
export const NOT_SERVED: Readonly<Record<string, 'disabled' | false>> = {
  analytics_access_level: 'disabled',
  auto_devops_enabled: false,
  builds_access_level: 'disabled',
  container_registry_access_level: 'disabled',
  forking_access_level: 'disabled',
  lfs_enabled: false,
  merge_requests_access_level: 'disabled',
  mirror: false,
  packages_enabled: false,
  pages_access_level: 'disabled',
  request_access_enabled: false,
  requirements_access_level: 'disabled',
  service_desk_enabled: false,
  shared_runners_enabled: false,
  snippets_access_level: 'disabled',
  wiki_access_level: 'disabled',
};

/** The settings as they are answered. One that is null, and so leaves the matter to somebody else, stays so. */
export function servedSettings<Settings extends object>(settings: Settings): Settings {
  const answered = Object.entries(settings).map(([name, value]) => [
    name,
    value !== null && Object.hasOwn(NOT_SERVED, name) ? NOT_SERVED[name] : value,
  ]);
  return Object.fromEntries(answered) as Settings;
}

/** Differs where answers that were put together before read otherwise now. */
export const SERVED_VERSION = `not served: ${Object.keys(NOT_SERVED).join(' ')}`;
