import {
  integrationView,
  singleIntegrationView,
} from '@forgelog/contracts/tracker/integrations/integration.api.ts';
import {
  EVENT_FLAGS,
  type EventFlag,
  type IntegrationSlug,
  integrationKind,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import type { Property } from './integration.decider.ts';
import type { IntegrationRow } from './integrations.projection.ts';

const flag = (name: EventFlag) => derived(['flagsOff'], (off: readonly string[]) => !off.includes(name));
const flags = Object.fromEntries(EVENT_FLAGS.map((name) => [name, flag(name)])) as {
  [Flag in EventFlag]: ReturnType<typeof flag>;
};

export const integrationJson = implementView(integrationView).from<IntegrationRow>({
  id: 'id',
  title: derived(['slug'], (slug: string) => integrationKind(slug as IntegrationSlug).title),
  slug: 'slug',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  active: derived(['disabled'], (disabled: boolean) => !disabled),
  ...flags,
});

export const singleIntegrationJson = implementView(singleIntegrationView).from<IntegrationRow>({
  ...integrationJson.members,
  properties: derived(['properties'], (properties: unknown) =>
    Object.fromEntries((properties as Property[]).map(({ name, value }) => [name, value])),
  ),
});
