const LONGEST = 63;

/** Turns a name into a DNS label: lower-case letters, digits and hyphens. */
export const slugOf = (name: string) =>
  name
    .toLowerCase()
    .slice(0, LONGEST)
    .replace(/[^a-z0-9]/g, '-')
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '');
