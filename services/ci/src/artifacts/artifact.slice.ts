import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import { artifactRoutes } from './artifact.routes.ts';
import { expiredArtifactSweeper } from './expired-artifacts.worker.ts';
import { runnerArtifactRoutes } from './runner-artifact.routes.ts';

export const artifactSlice = defineSlice<CiPorts>({
  routes: [artifactRoutes, runnerArtifactRoutes],
  workers: [expiredArtifactSweeper],
});
