import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RELEASE_LINK_TYPES } from '@forgelog/contracts/repo/releases/release-link.api.ts';

export interface LinkAttributes {
  name: string;
  url: string;
  filepath: string | null;
  linkType: (typeof RELEASE_LINK_TYPES)[number];
}

export interface ReleaseLink extends LinkAttributes {
  releaseLinkId: number;
}

const MOST_LINKS = 500;
const LONGEST_FILEPATH = 128;
/** Parts of an address below `downloads` that no browser or proxy rewrites. */
const FILEPATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~+-]+)+$/;

/**
 * Reports all problems at once, by field, in the words that clients know.
 * @param others links that the release has besides
 */
export function requireValidLinks(links: readonly ReleaseLink[], others: readonly ReleaseLink[] = []): void {
  const fields: Record<string, string[]> = {};
  const add = (field: string, problem: string) => {
    if (!fields[field]?.includes(problem)) fields[field] = [...(fields[field] ?? []), problem];
  };
  const taken = {
    name: new Set(others.map(({ name }) => name)),
    url: new Set(others.map(({ url }) => url)),
    filepath: new Set(others.map(({ filepath }) => filepath)),
  };
  for (const link of links) {
    const { filepath } = link;
    for (const field of ['name', 'url'] as const) if (link[field].trim() === '') add(field, "can't be blank");
    if (filepath !== null && filepath.length > LONGEST_FILEPATH)
      add('filepath', `is too long (maximum is ${LONGEST_FILEPATH} characters)`);
    if (filepath !== null && !FILEPATH.test(filepath)) add('filepath', 'is in an invalid format');
    for (const field of ['name', 'url', 'filepath'] as const) {
      const value = link[field];
      if (value === null) continue;
      if (taken[field].has(value)) add(field, 'has already been taken');
      taken[field].add(value);
    }
  }
  if (links.length + others.length > MOST_LINKS) add('links', `are too many (maximum is ${MOST_LINKS})`);
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
