import { Rejection } from '@forgelog/contracts/errors.ts';
import type { iterationView } from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, not, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { z } from 'zod';
import type { IssueDocument } from '../issues/issues.collection.ts';
import { groupScope, isBelow } from '../issues/records-of-groups.query.ts';
import type { LabelScope } from '../labels/label-filter.query.ts';
import { shownIterations } from './iteration.query.ts';
import { iterationJson } from './iteration.view.ts';
import { iterations } from './iterations.projection.ts';

/*
 * An issue is in its iteration as long as its project is in the group of the iteration or below, as it is with epics. Whoever
 * sees the issue sees the iteration then.
 */

type Ports = { readStore: ReadStore; directory: Directory };

type ShownIteration = z.output<typeof iterationView>;

/** By `place` of the issue. */
export type IterationsOfIssues = ReadonlyMap<number, ShownIteration>;

const NONE: IterationsOfIssues = new Map();

/** The iterations of these ids as answers show them. */
export async function iterationsById(
  ports: ServicePorts,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ShownIteration>> {
  if (ids.length === 0) return NONE;
  const found = await ports.readStore.find(iterations, { where: oneOf('id', ids), limit: ids.length });
  const view = iterationJson.renderer(ports);
  const shown = await shownIterations(ports, found);
  const jsonOf = (row: (typeof shown)[number]): ShownIteration =>
    JSON.parse(String(view.one(row, { today: today(ports) })));
  return new Map(shown.map((row) => [row.id, jsonOf(row)]));
}

export async function iterationsOfIssues(
  ports: ServicePorts,
  issues: readonly Readonly<Pick<IssueDocument, 'place' | 'projectId' | 'iterationId'>>[],
): Promise<IterationsOfIssues> {
  const ids = [...new Set(issues.flatMap(({ iterationId }) => iterationId ?? []))];
  if (ids.length === 0 || ports.configuration.EDITION === 'free') return NONE;
  const byId = await iterationsById(ports, ids);
  const shown = new Map<number, ShownIteration>();
  for (const { place, projectId, iterationId } of issues) {
    const iteration = iterationId === null ? undefined : byId.get(iterationId);
    if (iteration && projectId !== null && (await isBelow(ports.directory, projectId, iteration.group_id)))
      shown.set(place, iteration);
  }
  return shown;
}

/**
 * The iteration that a parameter of an issue names by its id: null for 0 and null, undefined to leave it as it is.
 * @throws 400 for one that the issue cannot be in
 */
export async function givenIteration(
  { readStore, directory }: Ports,
  projectId: number,
  given: number | null | undefined,
): Promise<number | null | undefined> {
  if (given === undefined) return undefined;
  if (given === null || given === 0) return null;
  const row = await readStore.get(iterations, given);
  if (!row || !(await isBelow(directory, projectId, row.groupId)))
    throw new Rejection('validation_failed', { fields: { iteration_id: ['is invalid'] } });
  return given;
}

/** The iteration that a copy of an issue is in: the same one, where the other project can have it. */
export async function iterationIn(
  { readStore, directory }: Ports,
  projectId: number,
  iterationId: number | null,
): Promise<number | null> {
  const row = iterationId === null ? undefined : await readStore.get(iterations, iterationId);
  return row && (await isBelow(directory, projectId, row.groupId)) ? iterationId : null;
}

/** Finds the issues of a list by their iteration. */
export interface IterationFilter {
  /** By its id, `None` or `Any`. */
  byId(wanted: number | string): Promise<Condition>;
  /** By its title, `None` or `Any`. */
  byTitle(wanted: string): Promise<Condition>;
}

const MOST = 1_000_000;

export function iterationFilter({ readStore, directory }: Ports, scope: LabelScope): IterationFilter {
  async function within(where: Condition): Promise<Condition> {
    const { records, issuesIn } = await groupScope(directory, scope, 'iterationId');
    const found = await readStore.find(iterations, {
      ...{ where: and(where, records), limit: MOST, select: ['id', 'groupId'] },
    });
    const byGroup = Map.groupBy(found, ({ groupId }) => groupId);
    return issuesIn([...byGroup].map(([groupId, rows]) => [groupId, rows.map(({ id }) => id)]));
  }

  async function named(wanted: string, exactly: Condition): Promise<Condition> {
    const word = wanted.toLowerCase();
    if (word === 'any') return within(and());
    return word === 'none' ? not(await within(and())) : within(exactly);
  }

  return {
    byId: (wanted) => named(String(wanted), eq('id', wanted)),
    byTitle: (wanted) => named(wanted, eq('title', wanted)),
  };
}
