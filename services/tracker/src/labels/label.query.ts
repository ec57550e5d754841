import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { LabelPlace } from './label.decider.ts';
import { type LabelRow, labels } from './labels.projection.ts';

/** The labels of a place itself. */
export const ownLabels = ({ projectId, groupId }: LabelPlace): Condition =>
  projectId === null ? eq('groupId', groupId) : eq('projectId', projectId);

/** The labels that can be given in a place: its own and those of the groups above. */
export async function labelsFor(
  directory: Pick<Directory, 'project' | 'namespace'>,
  place: LabelPlace,
): Promise<Condition> {
  const { projectId, groupId } = place;
  const above =
    projectId === null
      ? (await directory.namespace(groupId!))?.ancestors
      : (await directory.project(projectId))?.ancestors;
  return or(ownLabels(place), oneOf('groupId', above ?? []));
}

const ID = /^\d{1,16}$/;

/** A label by id or by title; the place's own goes before one of a group above. @throws not_found */
export async function requireLabel(
  readStore: Pick<ReadStore, 'find'>,
  among: Condition,
  idOrTitle: string,
): Promise<LabelRow> {
  const id = Number(idOrTitle);
  const one = ID.test(idOrTitle) && Number.isSafeInteger(id);
  const [byId] = one ? await readStore.find(labels, { where: and(eq('id', id), among), limit: 1 }) : [];
  const found = byId ?? (await labelTitled(readStore, among, idOrTitle));
  if (!found) throw new Rejection('not_found', { what: 'Label' });
  return found;
}

/** Beyond any answer: each place has one label of a title, and a command names a thousand titles at most. */
const MOST = 100_000;

/** The labels of these titles, by title; the project's own goes before one of a group, and the oldest before others. */
export async function labelsTitled(
  readStore: Pick<ReadStore, 'find'>,
  among: Condition,
  titles: readonly string[],
): Promise<Map<string, LabelRow[]>> {
  if (titles.length === 0) return new Map();
  const found = await readStore.find(labels, {
    where: and(oneOf('title', [...new Set(titles)]), among),
    sort: [asc('id')],
    limit: MOST,
  });
  const own = found.filter(({ projectId }) => projectId !== null);
  const inherited = found.filter(({ projectId }) => projectId === null);
  return Map.groupBy([...own, ...inherited], ({ title }) => title);
}

/** The first of `labelsTitled`. */
export async function labelTitled(
  readStore: Pick<ReadStore, 'find'>,
  among: Condition,
  given: string,
): Promise<LabelRow | undefined> {
  const title = given.trim();
  return (await labelsTitled(readStore, among, [title])).get(title)?.[0];
}

/** @throws conflict where the place, or a group above it, has a label of this title */
export async function requireFree(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  place: LabelPlace,
  title: string,
): Promise<void> {
  if (await labelTitled(readStore, await labelsFor(directory, place), title))
    throw new Rejection('conflict', { message: 'Label already exists' });
}
