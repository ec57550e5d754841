import { and, asc, type Condition, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { customAttributes } from './custom-attributes.projection.ts';

export interface ShownAttribute {
  key: string;
  value: string;
}

type OwnerField = 'userId' | 'groupId';

/** So many owners have a value that is asked for, and so many attributes a page of owners has. */
const MOST = 100_000;

/** The condition on ids of owners with all these attributes; each narrows what the ones before have left. */
export async function havingAttributes(
  wanted: Readonly<Record<string, string>>,
  owner: OwnerField,
  readStore: ReadStore,
): Promise<Condition> {
  let ids: number[] | undefined;
  for (const [key, value] of Object.entries(wanted)) {
    const left = ids === undefined ? [] : [oneOf(owner, ids)];
    const found = await readStore.find(customAttributes, {
      where: and(eq('key', key), eq('value', value), ...left),
      limit: MOST,
      select: [owner],
    });
    ids = found.flatMap((row) => row[owner] ?? []);
  }
  return ids === undefined ? and() : oneOf('id', ids);
}

/** Attributes of each owner, by name. */
export async function attributesByOwner(
  ids: readonly number[],
  owner: OwnerField,
  readStore: ReadStore,
): Promise<ReadonlyMap<number, ShownAttribute[]>> {
  const rows = await readStore.find(customAttributes, {
    where: oneOf(owner, ids),
    sort: [asc('key')],
    limit: MOST,
    select: [owner, 'key', 'value'],
  });
  const found = new Map<number, ShownAttribute[]>();
  for (const { key, value, ...row } of rows) {
    const id = row[owner]!;
    found.set(id, [...(found.get(id) ?? []), { key, value }]);
  }
  return found;
}
