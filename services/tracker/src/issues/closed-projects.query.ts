import { range } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import { issueClosers } from './issue-closers.collection.ts';

/** Whether any merge request says that it closes an issue of a project, by the project's id or path. */
export interface ClosedProjects {
  /** Synchronous on a cache hit. May be true where no such merge request is left. */
  has(name: string): boolean | Promise<boolean>;
  /** Call it with names that merge requests may have been the first to name. */
  forget(names: Iterable<string>): void;
}

const PROJECTS = 10_000;
const byStore = new WeakMap<ReadStore, ClosedProjects>();

export function closedProjects(readStore: ReadStore): ClosedProjects {
  let projects = byStore.get(readStore);
  if (!projects) {
    projects = createClosedProjects(readStore);
    byStore.set(readStore, projects);
  }
  return projects;
}

function createClosedProjects(readStore: ReadStore): ClosedProjects {
  const known = new ReadThrough<string, boolean>(PROJECTS);

  async function read(name: string): Promise<boolean> {
    // Keys are `name#1`, and the character after # is $.
    const where = range('issue', { gt: `${name}#`, lt: `${name}$` });
    return (await readStore.find(issueClosers, { where, limit: 1, select: ['key'] })).length > 0;
  }

  return {
    has(given) {
      const name = given.toLowerCase();
      return known.get(name) ?? known.read(name, () => read(name)).then((found) => found!);
    },
    forget(names) {
      for (const name of names) known.forget(name.toLowerCase());
    },
  };
}
