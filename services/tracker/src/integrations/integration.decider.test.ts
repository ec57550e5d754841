import type { IntegrationEvent } from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import type { IntegrationSlug } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type IntegrationCommand, integrationDecider } from './integration.decider.ts';

const set = (slug: IntegrationSlug, properties = {}, flags = {}): IntegrationCommand => ({
  ...{ type: 'SetIntegration', projectId: 7, slug, integrationId: 1, properties, flags },
});
const wiki = 'https://wiki.example.org';
const created: IntegrationEvent = {
  type: 'IntegrationCreated',
  data: {
    ...{ integrationId: 1, projectId: 7, slug: 'external-wiki', flagsOff: [] },
    properties: [{ name: 'external_wiki_url', value: wiki }],
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
