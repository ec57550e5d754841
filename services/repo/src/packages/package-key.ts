import type { ObjectKey } from '@forgelog/object-store/object-store.ts';

/* Keys name their owners first, and end in the digest. Two owners never share an object (ADR 47). */

interface StoredFile {
  projectId: number;
  packageFileId: number;
  fileSha256: string;
}

export const ALL_PACKAGES = 'packages/';
export const packagesOf = (projectId: number): string => `${ALL_PACKAGES}${projectId}/`;
export const packageFileKey = ({ projectId, packageFileId, fileSha256 }: StoredFile): ObjectKey =>
  `${packagesOf(projectId)}${packageFileId}.${fileSha256}`;

const FORM = /^packages\/(\d+)\/(\d+)\.([0-9a-f]{64})$/;

/** What a key stands for; undefined for one that no file of a package has. */
export function namedPackageFile(key: ObjectKey): StoredFile | undefined {
  const [, projectId, packageFileId, fileSha256] = FORM.exec(key) ?? [];
  if (fileSha256 === undefined) return undefined;
  return { projectId: Number(projectId), packageFileId: Number(packageFileId), fileSha256 };
}
