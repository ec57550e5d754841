import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { HookPlace } from './web-hook.decider.ts';
import { hookPlace, type WebHookRow, webHooks } from './web-hooks.projection.ts';

/** The most hooks that a place has. */
export const MOST_HOOKS = 100;

/** @throws 404, also for the id of a hook of another place */
export async function foundHook(
  readStore: ReadStore,
  webHookId: number,
  place: HookPlace,
): Promise<WebHookRow> {
  const row = await readStore.get(webHooks, webHookId);
  if (row?.place !== hookPlace(place)) throw new Rejection('record_not_found');
  return row;
}

const PLACES = 50_000;

/** Hooks by the places that they are told of, kept until they change. */
export function knownHooks({ readStore, directory }: { readStore: ReadStore; directory: Directory }) {
  const byPlace = createLru<string, readonly WebHookRow[]>(PLACES);

  async function hooksOf(place: string): Promise<readonly WebHookRow[]> {
    const known = byPlace.get(place);
    if (known) return known;
    const where = eq('place', place);
    const rows = await readStore.find(webHooks, { where, sort: [asc('id')], limit: MOST_HOOKS });
    byPlace.set(place, rows);
    return rows;
  }

  /** A project's own, those of the groups above it, and those of the instance. */
  async function placesOf(data: { projectId?: number | null; groupId?: number | null }): Promise<string[]> {
    const { projectId = null, groupId = null } = data;
    const places = [hookPlace({ projectId: null, groupId: null })];
    if (projectId !== null) {
      const project = await directory.project(projectId);
      places.push(hookPlace({ projectId, groupId: null }));
      for (const id of (project?.ancestors as readonly number[] | undefined) ?? [])
        places.push(hookPlace({ projectId: null, groupId: id }));
    } else if (groupId !== null) {
      const group = await directory.namespace(groupId);
      for (const id of (group?.ancestors as readonly number[] | undefined) ?? [groupId])
        places.push(hookPlace({ projectId: null, groupId: id }));
    }
    return places;
  }

  return {
    placesOf,
    async at(places: readonly string[]): Promise<WebHookRow[]> {
      const found: WebHookRow[] = [];
      for (const place of places) found.push(...(await hooksOf(place)));
      return found;
    },
    forget: (place: string) => byPlace.delete(place),
    forgetAll: () => byPlace.clear(),
  };
}
