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
const REST = /^\/(.+?)(\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;
/** Two segments at least, none empty: an address that we send somebody to must stay ours. */
const PLACE = /^[\w.%-]+(\/[\w.%-]+)+$/;
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
  if (place === undefined || rest === undefined || !PLACE.test(place)) return null;
  const wanted = rest === 'info/refs' ? new URLSearchParams(search).get('service') : rest;
  const service = SERVICES.find((one) => one === wanted) ?? null;
  if (suffix === undefined) return { kind: 'redirect', to: `/${place}.git/${addressWithin(rest, service)}` };
  const project = decoded(place);
  if (project === null) return null;
  if (rest === 'info/refs') return { kind: 'advertise', project, service };
  return service && { kind: 'exchange', project, service };
}

/**
 * The end of an address that a client is sent to. Nothing else of its query goes there: it may hold a credential, and
 * addresses are logged.
 */
export function addressWithin(rest: string, service: GitService | null): string {
  return rest === 'info/refs' && service !== null ? `${rest}?service=${service}` : rest;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
