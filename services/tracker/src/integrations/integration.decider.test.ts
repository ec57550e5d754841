import type { IntegrationEvent } from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import type { IntegrationSlug } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type IntegrationCommand, integrationDecider } from './integration.decider.ts';

const set = (
  slug: IntegrationSlug,
  properties = {},
  flags = {},
  sealedWebhook?: string,
  more: { sealedPassword?: string; tellsPassword?: boolean } = {},
): IntegrationCommand => ({
  ...{ type: 'SetIntegration', projectId: 7, slug, integrationId: 1, properties, flags },
  secrets: {
    ...(sealedWebhook && { sealedWebhook }),
    ...(more.sealedPassword && { sealedPassword: more.sealedPassword }),
  },
  tellsPassword: more.tellsPassword ?? more.sealedPassword !== undefined,
});
const wiki = 'https://wiki.example.org';
const created: IntegrationEvent = {
  type: 'IntegrationCreated',
  data: {
    ...{ integrationId: 1, projectId: 7, slug: 'external-wiki', flagsOff: [] },
    ...{
      properties: [{ name: 'external_wiki_url', value: wiki }],
      sealedWebhook: null,
      sealedPassword: null,
    },
  },
};

test('an integration is set up once, and a change tells what changes', () => {
  const same = set('external-wiki', { external_wiki_url: wiki });
  given(integrationDecider).when(same).thenEvents(created);
  given(integrationDecider, created).when(same).thenEvents();
  given(integrationDecider, created)
    .when(set('external-wiki', { external_wiki_url: 'https://other.example.org' }))
    .thenEvents({
      type: 'IntegrationUpdated',
      data: {
        ...{ integrationId: 1, projectId: 7, slug: 'external-wiki' },
        changes: { properties: [{ name: 'external_wiki_url', value: 'https://other.example.org' }] },
        previous: { properties: [{ name: 'external_wiki_url', value: wiki }] },
        withheldChanges: [],
      },
    });
});

test('what a slug needs must be there, and what it does not know is refused', () => {
  given(integrationDecider)
    .when(set('custom-issue-tracker', { issues_url: wiki, recipients: 'a@example.org' }))
    .thenRejected('invalid_parameters', {
      error:
        'recipients is no parameter of custom-issue-tracker, new_issue_url is missing, project_url is missing',
    });
  given(integrationDecider, created)
    .when(set('external-wiki', { external_wiki_url: '' }))
    .thenRejected('invalid_parameters', { error: 'external_wiki_url is missing' });
  given(integrationDecider, created)
    .when(set('external-wiki', {}, { push_events: false }))
    .thenRejected('invalid_parameters', { error: 'push_events is no parameter of external-wiki' });
});

test('recipients are addresses, each once, and flags stay as they were set', () => {
  const mails: IntegrationEvent = {
    type: 'IntegrationCreated',
    data: {
      ...{ integrationId: 1, projectId: 7, slug: 'emails-on-push', flagsOff: ['tag_push_events'] },
      properties: [{ name: 'recipients', value: 'a@example.org b@example.org' }],
      ...{ sealedWebhook: null, sealedPassword: null },
    },
  };
  const recipients = ' a@example.org\nb@example.org a@example.org ';
  given(integrationDecider)
    .when(set('emails-on-push', { recipients }, { tag_push_events: false }))
    .thenEvents(mails);
  given(integrationDecider, mails).when(set('emails-on-push', { recipients })).thenEvents();
  given(integrationDecider)
    .when(set('emails-on-push', { recipients: 'nobody' }))
    .thenRejected('validation_failed', { message: { recipients: ['are not all email addresses'] } });
});

test('a removed integration is gone, and can be set up again', () => {
  const gone: IntegrationEvent = {
    type: 'IntegrationDeleted',
    data: { integrationId: 1, projectId: 7, slug: 'external-wiki' },
  };
  const remove = { type: 'DeleteIntegration', projectId: 7, slug: 'external-wiki' } as const;
  given(integrationDecider, created).when(remove).thenEvents(gone);
  given(integrationDecider, created, gone).when(remove).thenRejected('not_found');
  given(integrationDecider, created, gone)
    .when(set('external-wiki', { external_wiki_url: wiki }))
    .thenEvents(created);
});

const chat: IntegrationEvent = {
  type: 'IntegrationCreated',
  data: {
    ...{ integrationId: 1, projectId: 7, slug: 'slack', flagsOff: ['note_events'], sealedWebhook: 'sealed' },
    properties: [{ name: 'channel', value: '#engines' }],
    sealedPassword: null,
  },
};
const ids = { integrationId: 1, projectId: 7, slug: 'slack' } as const;
const disabled: IntegrationEvent = {
  type: 'IntegrationDisabled',
  data: { ...ids, failures: 10, changes: { disabled: true }, previous: { disabled: false } },
};

test('a chat has an address, which no event tells in the open', () => {
  const settings = [{ channel: '#engines' }, { note_events: false }] as const;
  given(integrationDecider)
    .when(set('slack', ...settings, 'sealed'))
    .thenEvents(chat);
  given(integrationDecider)
    .when(set('slack', ...settings))
    .thenRejected('invalid_parameters', { error: 'webhook is missing' });
  given(integrationDecider, chat)
    .when(set('slack', {}, {}, 'sealed otherwise'))
    .thenEvents({
      type: 'IntegrationUpdated',
      data: {
        ...{ ...ids, changes: { sealedWebhook: 'sealed otherwise' }, previous: {} },
        withheldChanges: ['webhook'],
      },
    });
  given(integrationDecider)
    .when(set('external-wiki', { external_wiki_url: wiki }, {}, 'sealed'))
    .thenRejected('invalid_parameters', { error: 'webhook is no parameter of external-wiki' });
  given(integrationDecider, chat)
    .when(set('slack', { channel: 'a, b', push_channel: '@ada' }))
    .thenRejected('invalid_parameters', { error: 'channel is not the name of one channel' });
  given(integrationDecider)
    .when(set('discord', { username: 'Crank' }, { job_events: true }, 'sealed'))
    .thenRejected('invalid_parameters', { error: 'username is no parameter of discord' });
});

test('a chat that fails is switched off, and on again when it is set up again', () => {
  const disable = { type: 'DisableIntegration', projectId: 7, slug: 'slack', failures: 10 } as const;
  given(integrationDecider, chat).when(disable).thenEvents(disabled);
  given(integrationDecider, chat, disabled).when(disable).thenEvents();
  given(integrationDecider).when(disable).thenEvents();
  given(integrationDecider, chat, disabled)
    .when(set('slack'))
    .thenEvents({
      type: 'IntegrationEnabled',
      data: { ...ids, changes: { disabled: false }, previous: { disabled: true } },
    });
});

const JENKINS = { jenkins_url: 'https://jenkins.example.org', project_name: 'a/b' };
const jenkins = (properties = {}, more: Parameters<typeof set>[4] = {}) =>
  set('jenkins', properties, {}, undefined, more);

test('a password is for the address that it was given with, and has a name', () => {
  const others = [
    { name: 'project_name', value: 'a/b' },
    { name: 'username', value: 'ada' },
  ] as const;
  const created: IntegrationEvent = {
    type: 'IntegrationCreated',
    data: {
      ...{ integrationId: 1, projectId: 7, slug: 'jenkins', flagsOff: [], sealedWebhook: null },
      sealedPassword: 'sealed',
      properties: [{ name: 'jenkins_url', value: JENKINS.jenkins_url }, ...others],
    },
  };
  const password = { sealedPassword: 'sealed' };
  given(integrationDecider)
    .when(jenkins({ ...JENKINS, username: 'ada' }, password))
    .thenEvents(created);
  given(integrationDecider).when(jenkins(JENKINS, password)).thenRejected('invalid_parameters', {
    error: 'username is missing',
  });
  const elsewhere = { jenkins_url: 'https://other.example.org' };
  given(integrationDecider, created).when(jenkins(elsewhere)).thenRejected('invalid_parameters', {
    error: 'password is missing, because the address changes',
  });
  given(integrationDecider, created)
    .when(jenkins(elsewhere, { tellsPassword: true }))
    .thenEvents({
      type: 'IntegrationUpdated',
      data: {
        ...{ integrationId: 1, projectId: 7, slug: 'jenkins', withheldChanges: [] },
        changes: { properties: [{ name: 'jenkins_url', value: elsewhere.jenkins_url }, ...others] },
        previous: { properties: [{ name: 'jenkins_url', value: JENKINS.jenkins_url }, ...others] },
      },
    });
  given(integrationDecider, created)
    .when(jenkins({}, { sealedPassword: 'other' }))
    .thenEvents({
      type: 'IntegrationUpdated',
      data: {
        ...{ integrationId: 1, projectId: 7, slug: 'jenkins', changes: { sealedPassword: 'other' } },
        ...{ previous: {}, withheldChanges: ['password'] },
      },
    });
});

test.each([
  ['jenkins', { ...JENKINS, project_name: '../admin' }, 'project_name is not the name of a project'],
  ['jenkins', { ...JENKINS, project_name: 'a//b' }, 'project_name is not the name of a project'],
  ['jenkins', { ...JENKINS, username: 'a:b' }, 'username is not a name without a colon'],
  ['jira', { url: wiki, username: 'ada' }, 'password is missing'],
] as const)('%s refuses %j', (slug, properties, error) => {
  given(integrationDecider).when(set(slug, properties)).thenRejected('invalid_parameters', { error });
});
