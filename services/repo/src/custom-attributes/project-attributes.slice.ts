import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { projectAttributesProjection } from './project-attributes.projection.ts';

export const projectAttributesSlice = defineSlice<RepoPorts>({
  projections: [projectAttributesProjection],
});
