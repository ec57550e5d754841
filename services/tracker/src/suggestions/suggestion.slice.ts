import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { suggestionRoutes } from './suggestion.routes.ts';

/** Their records are kept with the notes that make them (`discussions.projection.ts`). */
export const suggestionSlice = defineSlice<ServicePorts>({ routes: [suggestionRoutes] });
