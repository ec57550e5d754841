import { Rejection } from '@forgelog/contracts/errors.ts';
import type { UploadedFile } from '@forgelog/contracts/params.ts';

/** Images of users and groups are not stored: who sends one is told so. An empty one, which removes it, is fine. */
export function refuseAvatar(avatar: UploadedFile | null | undefined): void {
  if (avatar)
    throw new Rejection('validation_failed', { fields: { avatar: ['is not stored by this server'] } });
}
