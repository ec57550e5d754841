import { Rejection } from '@forgelog/contracts/errors.ts';
import type { UploadedFile } from '@forgelog/contracts/params.ts';

/** Avatars are not stored, so an upload is rejected. An empty one, which removes the avatar, is accepted. */
export function refuseAvatar(avatar: UploadedFile | null | undefined): void {
  if (avatar)
    throw new Rejection('validation_failed', { fields: { avatar: ['is not stored by this server'] } });
}
