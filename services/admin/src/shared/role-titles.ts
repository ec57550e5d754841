const TITLES: Readonly<Record<number, string>> = {
  0: 'No access',
  5: 'Minimal Access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

/** [L118] */
export const roleTitle = (accessLevel: number): string => TITLES[accessLevel] ?? String(accessLevel);
