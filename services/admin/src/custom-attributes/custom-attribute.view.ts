import { customAttributeView } from '@forgelog/contracts/views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { CustomAttributeRow } from './custom-attributes.projection.ts';

export const customAttributeJson = implementView(customAttributeView).from<CustomAttributeRow>({
  key: 'key',
  value: 'value',
});
