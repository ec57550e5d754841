import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type UploadEvent, uploadEvents } from '@forgelog/contracts/repo/uploads/upload.events.ts';
import { uploadLifetime } from '@forgelog/contracts/repo/uploads/upload.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const uploads = defineCollection({
  name: 'uploads',
  key: 'id',
  fields: { id: 'text', projectId: 'integer', filename: 'text', size: 'integer', sha256: 'text' },
  indexes: [['projectId']],
  holds: { lifetime: uploadLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type UploadRow = DocumentOf<typeof uploads>;

export const uploadsProjection = defineProjection<UploadEvent>({
  name: 'uploads',
  collections: [uploads],
  handles: uploadEvents.map(({ type }) => type),
  async project({ data: { uploadId: id, ...upload } }, documents) {
    documents.put(uploads, { id, ...upload });
  },
});
