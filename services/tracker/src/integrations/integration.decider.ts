import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  INTEGRATION_DISABLED,
  INTEGRATION_ENABLED,
  type IntegrationEvent,
} from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import {
  ADDRESSES,
  type EventFlag,
  type IntegrationSlug,
  integrationKind,
  type PropertyName,
  SECRETS,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { isMailAddress } from '../notifications/mail-address.ts';

type Properties = Readonly<Record<string, string | boolean>>;

export interface Property {
  name: PropertyName;
  value: string | boolean;
}

/** Null for none. */
interface SealedSecrets {
  sealedWebhook: string | null;
  sealedPassword: string | null;
}

interface Attributes {
  properties: Property[];
  flagsOff: EventFlag[];
}

export type IntegrationState =
  | (Attributes & SealedSecrets & { integrationId: number; disabled: boolean })
  | null;

export type IntegrationCommand = { projectId: number; slug: IntegrationSlug } & (
  | {
      type: 'SetIntegration';
      /** The id that a new one gets. */
      integrationId: number;
      /** What the caller gives; an empty text takes a parameter away. */
      properties: Properties;
      flags: Partial<Record<EventFlag, boolean>>;
      /** Secrets that change; the others stay. */
      secrets: Partial<SealedSecrets>;
      /** Whether the caller gives the password, the same one or another. */
      tellsPassword: boolean;
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
        const { secrets } = command;
        const { sealedWebhook = null, sealedPassword = null } = { ...secretsOf(state), ...secrets };
        const sealed = { sealedWebhook, sealedPassword };
        const given = { ...byName(state?.properties ?? []), ...command.properties };
        const wanted = {
          properties: settled(slug, given, sealed, problemsOfAddress(state, command)),
          flagsOff: flagsOffAfter(slug, state?.flagsOff ?? [], command.flags),
        };
        if (state === null) {
          const { integrationId } = command;
          const data = { integrationId, projectId, slug, ...wanted, ...sealed };
          return [{ type: 'IntegrationCreated', data }];
        }
        const { integrationId } = state;
        const ids = { integrationId, projectId, slug };
        const enabled: IntegrationEvent[] = state.disabled
          ? [{ type: 'IntegrationEnabled', data: { ...ids, ...INTEGRATION_ENABLED } }]
          : [];
        const { changes, previous } = changesFrom<Attributes>(state, wanted) ?? { changes: {}, previous: {} };
        const withheldChanges = SECRETS.filter((name) => secrets[SEALED[name]] !== undefined);
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
        const { integrationId, properties, flagsOff, sealedWebhook, sealedPassword } = event.data;
        return { integrationId, properties, flagsOff, sealedWebhook, sealedPassword, disabled: false };
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
const TRANSITIONS = /^\d{1,10}(?:[,;]\d{1,10}){0,9}$/;
/** A step upwards would lead to another page of Jenkins. */
const JENKINS_PROJECT = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\\?#]{1,255}$/u;
const SEALED = { webhook: 'sealedWebhook', password: 'sealedPassword' } as const;

const secretsOf = (state: IntegrationState): Partial<SealedSecrets> =>
  state === null ? {} : { sealedWebhook: state.sealedWebhook, sealedPassword: state.sealedPassword };

/** A stored password goes to no address but the one that it was given for. */
function problemsOfAddress(
  state: IntegrationState,
  { properties, tellsPassword }: Extract<IntegrationCommand, { type: 'SetIntegration' }>,
): string[] {
  if (state === null || state.sealedPassword === null || tellsPassword) return [];
  const before = byName(state.properties);
  const moves = ADDRESSES.some((name) => name in properties && (before[name] ?? '') !== properties[name]);
  return moves ? ['password is missing, because the address changes'] : [];
}

/** @throws 400 for what is missing, unknown to the slug, or wrong; all problems of a kind at once */
function settled(
  slug: IntegrationSlug,
  settable: Properties,
  sealed: SealedSecrets,
  problemsOfOthers: readonly string[],
): Property[] {
  const { required, optional } = integrationKind(slug);
  const secrets = SECRETS.filter((name) => sealed[SEALED[name]] !== null);
  const given: Properties = { ...settable, ...Object.fromEntries(secrets.map((name) => [name, true])) };
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
  problems.push(...problemsOfOthers, ...problemsOfAccount(slug, given));
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

function problemsOfAccount(slug: IntegrationSlug, given: Properties): string[] {
  const { username = '', password, jira_issue_transition_id: transitions = '', project_name } = given;
  const signsIn = slug === 'jira' || slug === 'jenkins';
  return [
    ...(signsIn && password && username === '' ? ['username is missing'] : []),
    ...(signsIn && String(username).includes(':') ? ['username is not a name without a colon'] : []),
    ...(transitions === '' || TRANSITIONS.test(String(transitions))
      ? []
      : ['jira_issue_transition_id is no list of ids']),
    ...(slug !== 'jenkins' || !project_name || JENKINS_PROJECT.test(String(project_name))
      ? []
      : ['project_name is not the name of a project']),
  ];
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
