import { Rejection } from '@forgelog/contracts/errors.ts';
import { LARGEST_IID } from '@forgelog/contracts/shared/project-number.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { desc, range } from '@forgelog/eventing/query.ts';
import type { AnyCollection, ReadStore } from '@forgelog/eventing/read-store.ts';
import { iidOf, placesOf } from './project-place.ts';

/** Hands out a project's numbers of one kind: dense, in order, and to many at once without waiting. */
export interface ProjectNumbers {
  /** Runs `create` with the next number, which is given back on a failure and passed over on a conflict. */
  withNext<T>(projectId: number, create: (iid: number) => Promise<T>): Promise<T>;
  taken(projectId: number, iid: number): Promise<void>;
}

interface Known {
  next: number;
  /** Given back, the lowest first. */
  free: number[];
}

const PROJECTS = 10_000;

/** @param collection has `placeOf` project and number in its field `place` */
export function createProjectNumbers(
  readStore: ReadStore,
  collection: AnyCollection,
  noun: string,
): ProjectNumbers {
  const projects = createLru<number, Promise<Known>>(PROJECTS);

  async function readNext(projectId: number): Promise<number> {
    const where = range('place', placesOf(projectId));
    const [last] = await readStore.find(collection, {
      where,
      sort: [desc('place')],
      limit: 1,
      select: ['place'],
    });
    return last ? iidOf(last.place as number) + 1 : 1;
  }

  function known(projectId: number): Promise<Known> {
    const held = projects.get(projectId);
    if (held) return held;
    const loading = readNext(projectId).then((next) => ({ next, free: [] }));
    projects.set(projectId, loading);
    loading.catch(() => projects.delete(projectId));
    return loading;
  }

  return {
    async withNext(projectId, create) {
      const numbers = await known(projectId);
      for (;;) {
        const iid = numbers.free.shift() ?? numbers.next++;
        if (iid > LARGEST_IID) {
          numbers.next = LARGEST_IID + 1;
          throw new Rejection('unprocessable', { message: `The project has no ${noun} number left` });
        }
        try {
          return await create(iid);
        } catch (error) {
          if (!(error instanceof ConflictError)) {
            numbers.free.push(iid);
            numbers.free.sort((a, b) => a - b);
            throw error;
          }
          numbers.next = Math.max(numbers.next, await readNext(projectId));
        }
      }
    },
    async taken(projectId, iid) {
      const numbers = await known(projectId);
      numbers.next = Math.max(numbers.next, iid + 1);
    },
  };
}
