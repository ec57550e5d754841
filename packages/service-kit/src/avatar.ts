import { randomBytes } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { UploadedFile } from '@forgelog/contracts/params.ts';
import { RASTER_TYPES } from '@forgelog/contracts/shared/raster-types.ts';
import type { ObjectKey, ObjectStore } from '@forgelog/object-store/object-store.ts';
import type { Answer } from './answer.ts';
import { cachingHeaders, matchesEtag, notModified } from './conditional.ts';
import { rasterExtension, rasterType } from './raster-image.ts';

/* Each avatar has a name that no other one ever gets, so one that was replaced can be deleted at any time. */

export interface AvatarOwner {
  kind: 'user' | 'group' | 'project' | 'topic';
  id: number;
}

type Given = UploadedFile | null | undefined;

const MAX_BYTES = 200 * 1024;

const refused = (problem: string) => new Rejection('validation_failed', { fields: { avatar: [problem] } });

/** @throws Rejection 400 for a file that is too large, or no raster image by its first bytes */
export function requireAvatar(given: Given): void {
  if (!given) return;
  if (given.content.length > MAX_BYTES) throw refused('is too big (should be at most 200 KiB)');
  if (rasterExtension(given.content) === undefined)
    throw refused(`file format is not supported. Please try one of: ${RASTER_TYPES.join(', ')}`);
}

/**
 * Returns the address without the host, null where the avatar is to be removed, undefined where none was given.
 * @throws Rejection as `requireAvatar`
 */
export async function storeAvatar(
  objects: Pick<ObjectStore, 'put'>,
  owner: AvatarOwner,
  given: Given,
): Promise<string | null | undefined> {
  requireAvatar(given);
  if (!given) return given;
  const name = randomBytes(16).toString('hex') + rasterExtension(given.content);
  await objects.put(avatarsOf(owner) + name, given.content);
  return `/uploads/-/system/${owner.kind}/avatar/${owner.id}/${name}`;
}

export const avatarsOf = ({ kind, id }: { kind: AvatarOwner['kind']; id?: number }): string =>
  `avatars/${kind}/${id === undefined ? '' : `${id}/`}`;

const ADDRESS = /^\/uploads\/-\/system\/(user|group|project|topic)\/avatar\/(\d+)\/([0-9a-f]{32}\.[a-z]+)$/;

/** The key of the avatar at this address; undefined for an address that is no avatar's. */
export function avatarKey(address: string): ObjectKey | undefined {
  const [, kind, id, name] = ADDRESS.exec(address) ?? [];
  return name && `${avatarsOf({ kind: kind as AvatarOwner['kind'], id: Number(id) })}${name}`;
}

const KEY = /^avatars\/(?:user|group|project|topic)\/(\d+)\//;

export const ownerOfKey = (key: ObjectKey): number => Number(KEY.exec(key)?.[1]);

/** Answers with the image at this address. @throws Rejection 404 where there is none */
export async function avatarAnswer(
  objects: Pick<ObjectStore, 'get'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  address: string | null | undefined,
): Promise<Answer> {
  const key = address ? avatarKey(address) : undefined;
  const etag = `"${key}"`;
  if (key !== undefined && matchesEtag(headers, etag)) return notModified(etag);
  const found = key === undefined ? null : await objects.get(key);
  if (!found) throw new Rejection('not_found', { what: 'Avatar' });
  return {
    kind: 'stream',
    stream: found.body,
    headers: {
      ...cachingHeaders(etag),
      'Content-Type': rasterType(key!)!,
      'Content-Length': found.size,
      'Content-Disposition': 'inline',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
