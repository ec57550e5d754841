import { deleteBelow } from '@forgelog/object-store/delete-below.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import { type AvatarOwner, avatarKey, avatarsOf, ownerOfKey } from './avatar.ts';
import { removeUnnamed } from './object-sweeper.ts';

export async function removeAvatar(
  objects: Pick<ObjectStore, 'delete'>,
  address: string | null | undefined,
): Promise<void> {
  const key = address ? avatarKey(address) : undefined;
  if (key !== undefined) await objects.delete(key);
}

export const removeAvatarsOf = (objects: ObjectStore, owner: AvatarOwner, signal: AbortSignal) =>
  deleteBelow(objects, avatarsOf(owner), signal);

/** Removes avatars that are not their owner's, which a kill left behind. */
export const removeUnnamedAvatars = (
  ports: Parameters<typeof removeUnnamed>[0],
  kind: AvatarOwner['kind'],
  current: (id: number) => Promise<string | null | undefined>,
  signal?: AbortSignal,
): Promise<void> =>
  removeUnnamed(
    ports,
    avatarsOf({ kind }),
    async (key) => avatarKey((await current(ownerOfKey(key))) ?? '') === key,
    signal,
  );
