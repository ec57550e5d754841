import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { wikiRoutes } from './wiki.routes.ts';
import { wikiPageOperations } from './wiki-page.operations.ts';
import { wikiPagesProjection } from './wiki-pages.projection.ts';

export const wikiSlice = defineSlice<ServicePorts>({
  routes: [wikiRoutes],
  projections: [wikiPagesProjection],
  operations: [wikiPageOperations],
});
