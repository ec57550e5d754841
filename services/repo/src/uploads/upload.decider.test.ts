import type { UploadEvent } from '@forgelog/contracts/repo/uploads/upload.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { uploadDecider } from './upload.decider.ts';

const data = { projectId: 7, uploadId: 'a'.repeat(32), filename: 'a.png', size: 1, sha256: 'b'.repeat(64) };
const created: UploadEvent = { type: 'UploadCreated', data };
const create = { type: 'CreateUpload', ...data } as const;

test('an upload is created once', () => {
  given(uploadDecider).when(create).thenEvents(created);
  given(uploadDecider, created).when(create).thenRejected('conflict');
});
