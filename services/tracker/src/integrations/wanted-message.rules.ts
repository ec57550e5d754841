import {
  type IntegrationSlug,
  integrationKind,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { Property } from './integration.decider.ts';

export interface Wishes {
  slug: IntegrationSlug;
  flagsOff: readonly string[];
  properties: readonly Property[];
}

/** What an event is about, where a branch decides whether an integration tells. */
export interface ToldRef {
  name: string;
  isTag: boolean;
  isDefault: boolean;
  isProtected: boolean;
}

export const propertyOf = (properties: readonly Property[], name: Property['name']) =>
  properties.find((property) => property.name === name)?.value;

/** Empty where it is not set. */
export function textOf({ properties }: { properties: unknown }, name: Property['name']): string {
  const value = propertyOf(properties as Property[], name);
  return typeof value === 'string' ? value : '';
}

/** Jira is told of commits, which come by pushes. */
const flagOf = (slug: IntegrationSlug, trigger: Trigger) =>
  slug === 'jira' && trigger === 'push_events' ? 'commit_events' : trigger;

/** Whether it tells of such things, and is not switched off for them. */
export function wantsTrigger({ slug, flagsOff, properties }: Wishes, trigger: Trigger): boolean {
  if (trigger === 'deployment_events') return propertyOf(properties, 'deployment_events') === true;
  const name = flagOf(slug, trigger);
  return integrationKind(slug).flags.some((flag) => flag === name) && !flagsOff.includes(name);
}

/** Tags are always told of; of branches those that the integration names, or else its kind [L410, L412]. */
export function wantsRef({ slug, properties }: Wishes, { isTag, isDefault, isProtected }: ToldRef): boolean {
  if (isTag) return true;
  switch (branchesIn(properties) ?? integrationKind(slug).branches) {
    case 'all':
      return true;
    case 'protected':
      return isProtected;
    case 'default_and_protected':
      return isDefault || isProtected;
    default:
      return isDefault;
  }
}

function branchesIn(properties: readonly Property[]): string | boolean | undefined {
  const older = propertyOf(properties, 'notify_only_default_branch');
  return (
    propertyOf(properties, 'branches_to_be_notified') ??
    (older === undefined ? undefined : older ? 'default' : 'all')
  );
}

/** Pipelines that passed are noise, unless the integration asks for them. */
export const wantsPipeline = ({ properties }: Wishes, status: string): boolean =>
  status === 'failed' || propertyOf(properties, 'notify_only_broken_pipelines') === false;
