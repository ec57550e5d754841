import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { releasesOfDeletedTags } from './deleted-tag.policy.ts';
import { dueEvidenceSweeper } from './due-evidence.worker.ts';
import { releaseOperations } from './release.operations.ts';
import { releaseRoutes } from './release.routes.ts';
import { releaseAssetRoutes } from './release-asset.routes.ts';
import { releaseLinkRoutes } from './release-link.routes.ts';
import { releasesProjection } from './releases.projection.ts';

export const releaseSlice = defineSlice<RepoPorts>({
  routes: [releaseRoutes, releaseLinkRoutes, releaseAssetRoutes],
  projections: [releasesProjection],
  operations: [releaseOperations],
  policies: [
    (ports) => {
      const { deleteReleases, policy } = releasesOfDeletedTags(ports);
      ports.repositories.onMoved(deleteReleases);
      return [policy];
    },
  ],
  workers: [dueEvidenceSweeper],
});
