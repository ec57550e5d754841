import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { customAttributeRoutes } from './custom-attribute.routes.ts';
import { customAttributesProjection } from './custom-attributes.projection.ts';

export const customAttributeSlice = defineSlice<ServicePorts>({
  routes: [customAttributeRoutes],
  projections: [customAttributesProjection],
});
