import type { PlaceholderKind } from '@forgelog/service-kit/service.ts';
import type { DirectoryNamespace, DirectoryProject, DirectoryUser } from './collections.ts';
import { userJson } from './user.view.ts';

interface Cached<V> {
  get(id: number): V | undefined;
}

interface PlaceholderPorts {
  users: Cached<DirectoryUser>;
  namespaces: Cached<DirectoryNamespace>;
  projects: Cached<DirectoryProject>;
  user(id: number): Promise<DirectoryUser | undefined>;
  namespace(id: number): Promise<DirectoryNamespace | undefined>;
  project(id: number): Promise<DirectoryProject | undefined>;
  externalUrl: string;
}

/** A JSON string without its quotes. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * Placeholders: `u` user, `p` project path, `f` project's full name, `n` namespace path, `g` its full name, `m` namespace.
 */
export function directoryPlaceholders(ports: PlaceholderPorts): PlaceholderKind[] {
  const host = escaped(ports.externalUrl);
  // No member depends on the edition.
  const userRenderer = userJson.renderer({ configuration: { EDITION: 'free' }, host });
  // Deleted targets; records may refer to them for a moment.
  const gone = new Set<string>();
  const kind = <V extends object>(
    letter: string,
    cache: Cached<V>,
    fetch: (id: number) => Promise<V | undefined>,
    write: (value: V) => string,
    absent = '',
  ): PlaceholderKind => {
    // Cached per document; a changed document is a new object.
    const texts = new WeakMap<V, string>();
    const textOf = (value: V) => {
      let text = texts.get(value);
      if (text === undefined) {
        text = write(value);
        texts.set(value, text);
      }
      return text;
    };
    return {
      kind: letter,
      resolve(id) {
        const value = cache.get(Number(id));
        if (value === undefined) return gone.has(letter + id) ? absent : undefined;
        return textOf(value);
      },
      async load(ids) {
        const loaded = new Map<string, string>();
        for (const id of ids) {
          const value = await fetch(Number(id));
          if (value === undefined) gone.add(letter + id);
          loaded.set(id, value === undefined ? absent : textOf(value));
        }
        return loaded;
      },
    };
  };
  return [
    kind('u', ports.users, ports.user, (user) => String(userRenderer.one(user))),
    kind('p', ports.projects, ports.project, (project) => escaped(project.fullPath)),
    kind('f', ports.projects, ports.project, (project) => escaped(project.fullName)),
    kind('n', ports.namespaces, ports.namespace, (namespace) => escaped(namespace.fullPath)),
    kind('g', ports.namespaces, ports.namespace, (namespace) => escaped(namespace.fullName)),
    kind('m', ports.namespaces, ports.namespace, (one) => namespaceJson(one, ports.externalUrl), 'null'),
  ];
}

function namespaceJson(namespace: DirectoryNamespace, externalUrl: string): string {
  const { id, name, path, kind, fullPath, parentId, avatarUrl } = namespace;
  const place = kind === 'group' ? `groups/${fullPath}` : fullPath;
  return JSON.stringify({
    id,
    name,
    path,
    kind,
    full_path: fullPath,
    parent_id: parentId,
    avatar_url: avatarUrl && externalUrl + avatarUrl,
    web_url: `${externalUrl}/${place}`,
  });
}
