/**
 * The refs of merge requests: `head` for whoever fetches them, and hidden ones that keep the objects of earlier heads.
 * They follow the records of the tracker, and are no part of the log of refs.
 */

import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { Storages } from '../projects/storages.ts';
import type { Repositories } from '../repository-storage/repositories.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { KEPT_HEADS, MERGE_REQUEST_REFS } from './merge-request-ref-names.ts';
import {
  headKey,
  type MergeRequestHead,
  mergeRequestHeads,
  mergeRequestHeadsProjection,
  openFrom,
} from './merge-request-refs.projection.ts';

export interface MergeRequestRefs {
  projection: Projection;
  /** Sets what is behind in a project, before git reads it. Costs nothing while nothing has changed. */
  settle(projectId: number): Promise<void>;
  /** Sets the refs of a request that was opened. */
  open(projectId: number, iid: number): Promise<void>;
  /** Sets the refs of the requests that come from a branch. */
  follow(sourceProjectId: number, ref: string): Promise<void>;
  remove(projectId: number, iid: number): Promise<void>;
  /** Looks anew at all of a project, whose repository came from elsewhere without them. */
  forget(projectId: number): void;
}

const PROJECTS = 10_000;
const MANY = 1_000_000;
const ATTEMPTS = 5;

export function createMergeRequestRefs(
  ports: Pick<ServicePorts, 'readStore' | 'directory'> & { repositories: Repositories; storages: Storages },
): MergeRequestRefs {
  const { readStore, directory, repositories, storages } = ports;
  let changes = 0;
  const settled = createLru<number, number>(PROJECTS);

  const isOurs = async (projectId: number) => (await directory.project(projectId))?.storage === storages.own;

  /** Also the objects of a fork are brought. A head whose objects are nowhere is left out. */
  async function set(projectId: number, rows: readonly MergeRequestHead[]): Promise<void> {
    const repository = repositories.of(projectId);
    const wanted: RefUpdate[] = [];
    for (const { iid, sourceProjectId, sourceRef, sha, isOpen } of rows) {
      const source = repositories.of(sourceProjectId);
      const tip = isOpen && (await isOurs(sourceProjectId)) ? await source.readRef(sourceRef) : undefined;
      const newOid = tip ?? sha;
      const refs = [`${MERGE_REQUEST_REFS}/${iid}/head`, `${KEPT_HEADS}/${iid}/${newOid}`];
      for (const ref of refs) {
        const oldOid = (await repository.readRef(ref)) ?? ZERO_OID;
        if (oldOid === newOid) continue;
        if (tip && sourceProjectId !== projectId) await repository.copyObjectsFrom(source, [tip]);
        if (await repository.objects.info(newOid)) wanted.push({ ref, oldOid, newOid });
      }
    }
    await repository.updateRefs(wanted);
  }

  const inTurn = (projectId: number, work: () => Promise<void>) =>
    serializedPerRef(projectId, MERGE_REQUEST_REFS, async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work();
        } catch (error) {
          if (await repositories.isDeleted(projectId)) return;
          // Only an operator's git writes these refs beside us.
          if (!(error instanceof RefMovedError) || attempt === ATTEMPTS) throw error;
        }
      }
    });

  return {
    projection: mergeRequestHeadsProjection(() => {
      changes += 1;
    }),
    async settle(projectId) {
      const before = settled.get(projectId);
      if (before === changes || !(await isOurs(projectId))) return;
      const now = changes;
      // A closed request is as it was, once it has been looked at.
      const open = before === undefined ? [] : [eq('isOpen', true)];
      const where = and(eq('projectId', projectId), ...open);
      const rows = await readStore.find(mergeRequestHeads, { where, limit: MANY });
      if (rows.length > 0) await inTurn(projectId, () => set(projectId, rows));
      settled.set(projectId, now);
    },
    async open(projectId, iid) {
      const row = await readStore.get(mergeRequestHeads, headKey({ projectId, iid }));
      if (row && (await isOurs(projectId))) await inTurn(projectId, () => set(projectId, [row]));
    },
    async follow(sourceProjectId, ref) {
      const rows = await readStore.find(mergeRequestHeads, {
        where: openFrom(sourceProjectId, ref),
        limit: MANY,
      });
      for (const [projectId, some] of Map.groupBy(rows, (row) => row.projectId))
        if (await isOurs(projectId)) await inTurn(projectId, () => set(projectId, some));
    },
    forget: (projectId) => void settled.delete(projectId),
    async remove(projectId, iid) {
      if (!(await isOurs(projectId))) return;
      const repository = repositories.of(projectId);
      await inTurn(projectId, async () => {
        const folders = [`${MERGE_REQUEST_REFS}/${iid}/`, `${KEPT_HEADS}/${iid}/`];
        const found = (await Promise.all(folders.map((folder) => repository.listRefs(folder)))).flat();
        await repository.updateRefs(found.map(({ ref, oid }) => ({ ref, oldOid: oid, newOid: ZERO_OID })));
      });
    },
  };
}
