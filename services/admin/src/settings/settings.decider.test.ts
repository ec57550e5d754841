import { SETTING_FALLBACKS } from '@forgelog/contracts/admin/settings/application-settings.ts';
import type { SettingsEvent } from '@forgelog/contracts/admin/settings/settings.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type SettingsCommand, settingsDecider } from './settings.decider.ts';

const change = (changes: SettingsCommand['changes']): SettingsCommand => ({
  ...{ type: 'ChangeSettings', changes, initial: SETTING_FALLBACKS },
});
const created: SettingsEvent = {
  type: 'SettingsCreated',
  data: { settingsId: 1, default_projects_limit: 5 },
};

test('what is set is told, at first by itself and then with its old value', () => {
  given(settingsDecider)
    .when(change({ default_projects_limit: 5 }))
    .thenEvents(created);
  given(settingsDecider, created)
    .when(change({ default_projects_limit: 5 }))
    .thenEvents();
  given(settingsDecider, created)
    .when(change({ default_projects_limit: 6, sign_in_text: 'Hi' }))
    .thenEvents({
      type: 'SettingsUpdated',
      data: {
        settingsId: 1,
        changes: { default_projects_limit: 6, sign_in_text: 'Hi' },
        previous: { default_projects_limit: 5, sign_in_text: null },
      },
    });
});

test('a setting that nothing reads keeps its value, and may be given with it', () => {
  given(settingsDecider)
    .when(change({ admin_mode: false, domain_allowlist: [] }))
    .thenEvents();
  given(settingsDecider)
    .when(change({ admin_mode: true, domain_allowlist: ['example.org'] }))
    .thenRejected('validation_failed', {
      message: {
        admin_mode: ['is not supported here, and stays false'],
        domain_allowlist: ['is not supported here, and stays []'],
      },
    });
});

test('a switch needs what it switches on', () => {
  given(settingsDecider)
    .when(change({ asset_proxy_enabled: true, domain_denylist_enabled: true }))
    .thenRejected('validation_failed', {
      message: { asset_proxy_url: ["can't be blank"], domain_denylist: ["can't be blank"] },
    });
});

test('the two names of a setting have one value', () => {
  const both = {
    allow_local_requests_from_web_hooks_and_services: true,
    allow_local_requests_from_hooks_and_services: true,
  };
  for (const name of Object.keys(both))
    given(settingsDecider)
      .when(change({ [name]: true }))
      .thenEvents({ type: 'SettingsCreated', data: { settingsId: 1, ...both } });
  given(settingsDecider, { type: 'SettingsCreated', data: { settingsId: 1, ...both } })
    .when(change({ allow_local_requests_from_hooks_and_services: false }))
    .thenEvents({
      type: 'SettingsUpdated',
      data: {
        settingsId: 1,
        changes: {
          allow_local_requests_from_web_hooks_and_services: false,
          allow_local_requests_from_hooks_and_services: false,
        },
        previous: both,
      },
    });
});

test('private addresses that may be reached are addresses, networks and hosts', () => {
  const names = ['10.0.0.0/8', 'fd00::1', 'ci.internal'];
  given(settingsDecider)
    .when(change({ outbound_local_requests_whitelist: names }))
    .thenEvents({
      type: 'SettingsCreated',
      data: { settingsId: 1, outbound_local_requests_whitelist: names },
    });
  given(settingsDecider)
    .when(change({ outbound_local_requests_whitelist: ['10.0.0.0/99'] }))
    .thenRejected('validation_failed');
});

test('what acts must be something to act on', () => {
  for (const default_branch_name of ['a..b', '-x', 'a b', 'x.lock', 'x/'])
    given(settingsDecider)
      .when(change({ default_branch_name }))
      .thenRejected('validation_failed', {
        message: { default_branch_name: ['is not a valid name of a branch'] },
      });
  given(settingsDecider)
    .when(change({ default_artifacts_expire_in: 'soon' }))
    .thenRejected('validation_failed');
});
