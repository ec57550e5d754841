import type { ReferenceKind } from '@forgelog/service-kit/service.ts';
import type { DirectoryNamespace, DirectoryProject, DirectoryUser } from './collections.ts';

interface Cached<V> {
  get(id: number): V | undefined;
}

interface ReferencePorts {
  users: Cached<DirectoryUser>;
  namespaces: Cached<DirectoryNamespace>;
  projects: Cached<DirectoryProject>;
  user(id: number): Promise<DirectoryUser | undefined>;
  namespace(id: number): Promise<DirectoryNamespace | undefined>;
  project(id: number): Promise<DirectoryProject | undefined>;
  externalUrl: string;
}

/** JSON-escaped content of a string, without its quotes. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** The references that the directory resolves: `h` host, `u` user, `p` project path, `n` namespace path. */
export function directoryReferences(ports: ReferencePorts): ReferenceKind[] {
  const host = escaped(ports.externalUrl);
  // What is gone for good (a record that refers to a deleted project may be read for a moment yet).
  const gone = new Set<string>();
  const missing = (reference: string) => (gone.has(reference) ? '' : undefined);
  const kind = <V>(
    letter: string,
    cache: Cached<V>,
    fetch: (id: number) => Promise<V | undefined>,
    write: (value: V) => string,
  ): ReferenceKind => ({
    kind: letter,
    resolve(id) {
      const value = cache.get(Number(id));
      return value === undefined ? missing(letter + id) : write(value);
    },
    async load(ids) {
      for (const id of ids) if ((await fetch(Number(id))) === undefined) gone.add(letter + id);
    },
  });
  return [
    { kind: 'h', resolve: () => host, load: async () => {} },
    kind('u', ports.users, ports.user, (user) => user.body!.replaceAll('\u0001h\u0001', host)),
    kind('p', ports.projects, ports.project, (project) => escaped(project.fullPath!)),
    kind('n', ports.namespaces, ports.namespace, (namespace) => escaped(namespace.fullPath!)),
  ];
}
