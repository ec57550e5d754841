import { EVENT_FLAGS } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { Property } from '../integration.decider.ts';

export interface Wishes {
  flagsOff: readonly string[];
  properties: readonly Property[];
}

/** What an event is about, where a branch decides whether a chat is told. */
export interface ToldRef {
  name: string;
  isTag: boolean;
  isDefault: boolean;
  isProtected: boolean;
}

export const propertyOf = (properties: readonly Property[], name: Property['name']) =>
  properties.find((property) => property.name === name)?.value;

const isFlag = (trigger: string) => EVENT_FLAGS.some((flag) => flag === trigger);

/** Whether what it is about is switched on. */
export function wantsTrigger({ flagsOff, properties }: Wishes, trigger: Trigger): boolean {
  if (trigger === 'deployment_events') return propertyOf(properties, 'deployment_events') === true;
  return isFlag(trigger) && !flagsOff.includes(trigger);
}

/** Tags are always told of; the default branch alone, unless the integration says otherwise [L412]. */
export function wantsRef({ properties }: Wishes, { isTag, isDefault, isProtected }: ToldRef): boolean {
  if (isTag) return true;
  switch (propertyOf(properties, 'branches_to_be_notified') ?? 'default') {
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

/** Pipelines that passed are noise, unless the integration asks for them. */
export const wantsPipeline = ({ properties }: Wishes, status: string): boolean =>
  status === 'failed' || propertyOf(properties, 'notify_only_broken_pipelines') === false;
