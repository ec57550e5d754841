import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { groups } from '../groups/groups.projection.ts';
import type { UserRecord } from '../users/user-record.ts';
import { users } from '../users/users.projection.ts';

type Address = string | null | undefined;

export async function userAvatar(readStore: ReadStore, id: number): Promise<Address> {
  return ((await readStore.get(users, id))?.record as UserRecord | undefined)?.avatarUrl;
}

export async function groupAvatar(readStore: ReadStore, id: number): Promise<Address> {
  return (await readStore.get(groups, id))?.avatarUrl;
}
