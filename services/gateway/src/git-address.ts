import type { GitService } from '@forgelog/service-kit/git-transport.ts';

/** What a path outside of the API asks of a repository. */
export type GitAddress =
  /** `service` is null for the dumb protocol, which is not spoken here. */
  | { kind: 'advertise'; project: string; service: GitService | null }
  | { kind: 'exchange'; project: string; service: GitService }
  /** A file of a repository, for the dumb protocol. */
  | { kind: 'dumb' }
  /** The same with the suffix that belongs there. */
  | { kind: 'redirect'; to: string };

const SERVICES: readonly GitService[] = ['git-upload-pack', 'git-receive-pack'];
// What begins with two slashes names another host to whoever follows a redirect to it.
const REST = /^\/(?![/\\])(.+?)(\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const FILES = /^\/.+\.git\/(HEAD|objects\/.+)$/;
/** Below these lie pages and interfaces, never projects. */
const NOT_GROUPS = /^\/(api|-|oauth|uploads)(\/|$)/;

/**
 * Reads a path as git builds it; null when it is none of git's.
 * @param search the query, without its question mark
 */
export function readGitAddress(path: string, search: string): GitAddress | null {
  if (NOT_GROUPS.test(path)) return null;
  if (FILES.test(path)) return { kind: 'dumb' };
  const [, place, suffix, rest] = REST.exec(path) ?? [];
  if (place === undefined || rest === undefined || !place.includes('/')) return null;
  if (suffix === undefined)
    return { kind: 'redirect', to: `/${place}.git/${rest}${search === '' ? '' : `?${search}`}` };
  const project = decoded(place);
  if (project === null) return null;
  if (rest !== 'info/refs') return { kind: 'exchange', project, service: rest as GitService };
  const wanted = new URLSearchParams(search).get('service');
  return { kind: 'advertise', project, service: SERVICES.find((service) => service === wanted) ?? null };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
