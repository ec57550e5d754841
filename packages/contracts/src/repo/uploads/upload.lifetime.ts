import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { UploadCreated } from './upload.events.ts';

export const uploadLifetime = defineLifetime({
  kind: 'Upload',
  id: ['uploadId'],
  begins: [begins(UploadCreated)],
  ends: [endsWith(ProjectDeleted, ['projectId'])],
});
