import type { GitService } from '@forgelog/service-kit/git-transport.ts';

/** A request of git, parsed from its path. */
export type GitAddress =
  /** `service` is null for the dumb protocol, which is not supported. */
  | { kind: 'advertise'; project: string; service: GitService | null }
  | { kind: 'exchange'; project: string; service: GitService }
  | { kind: 'dumb' }
  /** The path lacks the suffix `.git`. */
  | { kind: 'redirect'; to: string };

const SERVICES: readonly GitService[] = ['git-upload-pack', 'git-receive-pack'];
const REST = /^\/(.+?)(\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;
/** Requires two non-empty segments: with fewer, a redirect could lead to another host. */
const PROJECT_PATH = /^[\w.%-]+(\/[\w.%-]+)+$/;
/** One segment is enough for the wiki of a group. */
const GROUP_WIKI = /^[\w.-]+\.wiki$/;
const FILES = /^\/.+\.git\/(HEAD|objects\/.+)$/;
/** Top-level paths that are never groups. */
const RESERVED = /^\/(api|-|oauth|uploads)(\/|$)/;

/** Parses a path as git builds it; null for any other. @param search the query, without its question mark */
export function readGitAddress(path: string, search: string): GitAddress | null {
  if (RESERVED.test(path)) return null;
  if (FILES.test(path)) return { kind: 'dumb' };
  const [, place, suffix, rest] = REST.exec(path) ?? [];
  if (place === undefined || rest === undefined || !(PROJECT_PATH.test(place) || GROUP_WIKI.test(place)))
    return null;
  const wanted = rest === 'info/refs' ? new URLSearchParams(search).get('service') : rest;
  const service = SERVICES.find((one) => one === wanted) ?? null;
  if (suffix === undefined) return { kind: 'redirect', to: `/${place}.git/${addressWithin(rest, service)}` };
  const project = decoded(place);
  if (project === null) return null;
  if (rest === 'info/refs') return { kind: 'advertise', project, service };
  return service && { kind: 'exchange', project, service };
}

/** Builds the end of a redirect. It drops the rest of the query, which may hold a credential that would be logged. */
export function addressWithin(rest: string, service: GitService | null): string {
  return rest === 'info/refs' && service !== null ? `${rest}?service=${service}` : rest;
}

/** A snippet by the path that its repository has. A project of the same path comes first. */
export function readSnippetPath(path: string): { project: string | null; snippetId: number } | null {
  const [, project, id] = /^(?:(.+)\/)?snippets\/([1-9]\d{0,14})$/.exec(path) ?? [];
  return id === undefined ? null : { project: project ?? null, snippetId: Number(id) };
}

/** The path of the project or group whose wiki has this path. A project of the same path comes first. */
export function readWikiPath(path: string): string | null {
  return /^(.+)\.wiki$/.exec(path)?.[1] ?? null;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
