import { z } from 'zod';

export const storageSizeFields = {
  storage_size: z.int(),
  repository_size: z.int(),
  wiki_size: z.int(),
  lfs_objects_size: z.int(),
  job_artifacts_size: z.int(),
  packages_size: z.int(),
  snippets_size: z.int(),
};

/** Bytes of a project or a group, of which repositories and packages are stored so far. */
export const storageSizes = ({
  repositorySize,
  packagesSize,
}: {
  repositorySize: number;
  packagesSize: number;
}) => ({
  storage_size: repositorySize + packagesSize,
  repository_size: repositorySize,
  wiki_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
  packages_size: packagesSize,
  snippets_size: 0,
});
