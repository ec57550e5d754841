import type { ObjectKey } from '@forgelog/object-store/object-store.ts';
import type { UploadRow } from './uploads.projection.ts';

/* Keys name their owners first, and end in the digest. Two owners never share an object (ADR 47). */

export const ALL_UPLOADS = 'uploads/';
export const uploadsOf = (projectId: number): string => `${ALL_UPLOADS}${projectId}/`;
export const uploadKey = ({ projectId, id, sha256 }: Pick<UploadRow, 'projectId' | 'id' | 'sha256'>) =>
  `${uploadsOf(projectId)}${id}.${sha256}`;

const FORM = /^uploads\/(\d+)\/([0-9a-f]{32})\.([0-9a-f]{64})$/;

/** What a key stands for; undefined for one that no upload has. */
export function namedUpload(key: ObjectKey): Pick<UploadRow, 'projectId' | 'id' | 'sha256'> | undefined {
  const [, projectId, id, sha256] = FORM.exec(key) ?? [];
  return id === undefined ? undefined : { projectId: Number(projectId), id, sha256: sha256! };
}
