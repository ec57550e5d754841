/** What placeholders of badges stand for. Null where there is none, or where the caller may not know it. */
export interface BadgeValues {
  project_path: string;
  project_title: string;
  project_name: string;
  project_id: string;
  default_branch: string | null;
  commit_sha: string | null;
}

/** Some clients encode the brackets. */
const PLACEHOLDER =
  /%(?:\{|%7B)(project_path|project_title|project_name|project_id|default_branch|commit_sha)(?:\}|%7D)/gi;

/**
 * Puts values into the address of a badge. They are encoded, because people choose them; slashes of paths and branches
 * stay. A placeholder without a value stays as it is.
 */
export function renderedAddress(address: string, values: BadgeValues): string {
  return address.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = values[name.toLowerCase() as keyof BadgeValues];
    return value === null ? placeholder : encodeURIComponent(value).replaceAll('%2F', '/');
  });
}
