import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  INTEGRATION_DISABLED,
  INTEGRATION_ENABLED,
  type IntegrationEvent,
} from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import {
  type EventFlag,
  type IntegrationSlug,
  integrationKind,
  type PropertyName,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { isMailAddress } from '../notifications/mail-address.ts';

type Properties = Readonly<Record<string, string | boolean>>;

export interface Property {
  name: PropertyName;
  value: string | boolean;
}

interface Attributes {
  properties: Property[];
  flagsOff: EventFlag[];
}

export type IntegrationState =
  | (Attributes & { integrationId: number; sealedWebhook: string | null; disabled: boolean })
  | null;

export type IntegrationCommand = { projectId: number; slug: IntegrationSlug } & (
  | {
      type: 'SetIntegration';
      /** The id that a new one gets. */
      integrationId: number;
      /** What the caller gives; an empty text takes a parameter away. */
      properties: Properties;
      flags: Partial<Record<EventFlag, boolean>>;
      /** Address of the chat; undefined keeps it. */
      sealedWebhook: string | undefined;
    }
  | { type: 'DeleteIntegration' }
  | { type: 'DisableIntegration'; failures: number }
);

export const integrationStream = (projectId: number, slug: IntegrationSlug) =>
  `integration-${projectId}-${slug}`;

export const integrationDecider: Decider<IntegrationState, IntegrationCommand, IntegrationEvent> = {
  initialState: null,

  decide(command, state) {
    const { projectId, slug } = command;
    switch (command.type) {
      case 'SetIntegration': {
        const sealedWebhook = command.sealedWebhook ?? state?.sealedWebhook ?? null;
        const given = { ...byName(state?.properties ?? []), ...command.properties };
        const wanted = {
          properties: settled(slug, given, sealedWebhook !== null),
          flagsOff: flagsOffAfter(slug, state?.flagsOff ?? [], command.flags),
        };
        if (state === null) {
          const { integrationId } = command;
          const data = { integrationId, projectId, slug, ...wanted, sealedWebhook };
          return [{ type: 'IntegrationCreated', data }];
        }
        const { integrationId } = state;
        const ids = { integrationId, projectId, slug };
        const enabled: IntegrationEvent[] = state.disabled
          ? [{ type: 'IntegrationEnabled', data: { ...ids, ...INTEGRATION_ENABLED } }]
          : [];
        const { changes, previous } = changesFrom<Attributes>(state, wanted) ?? { changes: {}, previous: {} };
        const secrets = command.sealedWebhook === undefined ? {} : { sealedWebhook: command.sealedWebhook };
        const withheldChanges = Object.keys(secrets).map(() => 'webhook' as const);
        if (Object.keys(changes).length === 0 && withheldChanges.length === 0) return enabled;
        const data = { ...ids, changes: { ...changes, ...secrets }, previous, withheldChanges };
        return [{ type: 'IntegrationUpdated', data }, ...enabled];
      }
      case 'DisableIntegration': {
        // It was removed, or switched off, meanwhile.
        if (state === null || state.disabled) return [];
        const { integrationId } = state;
        const ids = { integrationId, projectId, slug };
        const data = { ...ids, failures: command.failures, ...INTEGRATION_DISABLED };
        return [{ type: 'IntegrationDisabled', data }];
      }
      case 'DeleteIntegration':
        if (state === null) throw new Rejection('not_found', { what: 'Integration' });
        return [
          {
            type: 'IntegrationDeleted',
            data: { integrationId: state.integrationId, projectId, slug },
          },
        ];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'IntegrationCreated': {
        const { integrationId, properties, flagsOff, sealedWebhook } = event.data;
        return { integrationId, properties, flagsOff, sealedWebhook, disabled: false };
      }
      case 'IntegrationUpdated':
      case 'IntegrationDisabled':
      case 'IntegrationEnabled':
        return state && { ...state, ...event.data.changes };
      case 'IntegrationDeleted':
        return null;
      default:
        return event satisfies never;
    }
  },
};

const MOST_RECIPIENTS = 750;
/** One channel, or a person. */
const CHANNEL = /^[#@]?[^\s,#@]{1,80}$/;
/** Stands apart from the other parameters, because it is a secret. */
const WEBHOOK = 'webhook';

/** @throws 400 for what is missing, unknown to the slug, or wrong; all problems of a kind at once */
function settled(slug: IntegrationSlug, settable: Properties, hasWebhook: boolean): Property[] {
  const { required, optional } = integrationKind(slug);
  const given: Properties = hasWebhook ? { ...settable, [WEBHOOK]: true } : settable;
  const problems = Object.keys(given)
    .filter((name) => !required.includes(name) && !optional.includes(name))
    .map((name) => `${name} is no parameter of ${slug}`);
  const present = Object.entries(settable).filter(([, value]) => value !== '');
  problems.push(...required.filter((name) => (given[name] ?? '') === '').map((name) => `${name} is missing`));
  problems.push(
    ...present
      .filter(([name, value]) => name.endsWith('channel') && !CHANNEL.test(String(value)))
      .map(([name]) => `${name} is not the name of one channel`),
  );
  // Mails come from the server's own address: another server would take them for forged.
  if (settable.send_from_committer_email === true)
    problems.push('send_from_committer_email is not supported');
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
  return present
    .map(([name, value]) => ({
      // None is unknown to the slug.
      name: name as PropertyName,
      value: name === 'recipients' ? recipientsIn(slug, String(value)) : value,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const byName = (properties: readonly Property[]): Properties =>
  Object.fromEntries(properties.map(({ name, value }) => [name, value]));

function recipientsIn(slug: IntegrationSlug, text: string): string {
  const between = slug === 'pipelines-email' ? /[\s,]+/ : /\s+/;
  const addresses = [...new Set(text.split(between).filter((address) => address !== ''))];
  const fields = { recipients: [] as string[] };
  if (addresses.length === 0 || !addresses.every((address) => isMailAddress(address)))
    fields.recipients.push('are not all email addresses');
  if (addresses.length > MOST_RECIPIENTS)
    fields.recipients.push(`are too many (maximum is ${MOST_RECIPIENTS})`);
  if (fields.recipients.length > 0) throw new Rejection('validation_failed', { fields });
  return addresses.join(' ');
}

function flagsOffAfter(
  slug: IntegrationSlug,
  before: readonly EventFlag[],
  flags: Partial<Record<EventFlag, boolean>>,
): EventFlag[] {
  const { flags: known } = integrationKind(slug);
  const unknown = Object.keys(flags).filter((name) => !known.some((flag) => flag === name));
  if (unknown.length > 0)
    throw new Rejection('invalid_parameters', {
      problems: unknown.map((name) => `${name} is no parameter of ${slug}`),
    });
  return known.filter((flag) => !(flags[flag] ?? !before.includes(flag)));
}
