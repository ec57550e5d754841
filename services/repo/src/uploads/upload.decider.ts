import { Rejection } from '@forgelog/contracts/errors.ts';
import type { UploadEvent } from '@forgelog/contracts/repo/uploads/upload.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type UploadCommand = { type: 'CreateUpload' } & UploadEvent['data'];

export const uploadStream = (uploadId: string) => `upload-${uploadId}`;

/** Whether the upload exists. */
export const uploadDecider: Decider<boolean, UploadCommand, UploadEvent> = {
  initialState: false,
  decide({ type: _, ...data }, exists) {
    if (exists) throw new Rejection('conflict', {});
    return [{ type: 'UploadCreated', data }];
  },
  evolve: () => true,
};
