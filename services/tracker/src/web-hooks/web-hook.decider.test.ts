import type { WebHookEvent } from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { webHookDecider } from './web-hook.decider.ts';

const ids = { webHookId: 3, projectId: 7, groupId: null };
const secrets = { sealedUrl: '1.mark.url', sealedToken: null };
const attributes = { branchFilter: null, verifyCertificate: true };
const created: WebHookEvent = {
  type: 'WebHookCreated',
  data: { ...ids, triggers: ['issues_events', 'push_events'], ...attributes, ...secrets },
};
const create = {
  type: 'CreateWebHook',
  ...ids,
  triggers: ['push_events', 'issues_events'],
  ...attributes,
  ...secrets,
} as const;
const update = (more: object) =>
  ({
    ...{ type: 'UpdateWebHook' as const, ...ids, flags: {}, secrets: {} },
    ...{ branchFilter: undefined, verifyCertificate: undefined, ...more },
  }) as const;
const disable = { type: 'DisableWebHook', ...ids, failures: 10 } as const;
const disabled: WebHookEvent = {
  type: 'WebHookDisabled',
  data: { ...ids, failures: 10, changes: { disabled: true }, previous: { disabled: false } },
};
const enabled: WebHookEvent = {
  type: 'WebHookEnabled',
  data: { ...ids, changes: { disabled: false }, previous: { disabled: true } },
};
const rewind = { type: 'RewindWebHook', ...ids, position: '5' } as const;
const rewound: WebHookEvent = { type: 'WebHookRewound', data: { ...ids, toldUpTo: '5' } };
const leave = { type: 'LeaveWebHookBehind', ...ids, position: '6' } as const;
const behind: WebHookEvent = { type: 'WebHookFellBehind', data: { ...ids, toldUpTo: '6' } };
const catchUp = { type: 'NoteWebHookCaughtUp', ...ids, position: '9' } as const;

test('a hook is created once', () => {
  given(webHookDecider)
    .when({ ...create, triggers: [...create.triggers] })
    .thenEvents(created);
  given(webHookDecider, created)
    .when({ ...create, triggers: [] })
    .thenRejected('conflict');
});

test('a filter of branches has the form of their names', () => {
  for (const branchFilter of ['a b', 'a..b', '/a', 'a/', 'a//b', 'a~b', 'a:b', 'a\nb'])
    given(webHookDecider)
      .when({ ...create, triggers: [], branchFilter })
      .thenRejected('hook_refused', { error: 'Invalid branch filter given' });
  given(webHookDecider, created)
    .when(update({ branchFilter: '' }))
    .thenEvents();
});

test('an update tells what changed, and of secrets that they did', () => {
  given(webHookDecider, created)
    .when(update({ flags: { issues_events: false, push_events: true }, secrets: { sealedToken: '1.m.t' } }))
    .thenEvents({
      type: 'WebHookUpdated',
      data: {
        ...ids,
        changes: { triggers: ['push_events'], sealedToken: '1.m.t' },
        previous: { triggers: ['issues_events', 'push_events'] },
        withheldChanges: ['token'],
      },
    });
  given(webHookDecider, created)
    .when(update({ flags: { push_events: true } }))
    .thenEvents();
});

test('a hook that failures switched off is not rewound, and an update switches it on', () => {
  given(webHookDecider, created).when(disable).thenEvents(disabled);
  given(webHookDecider, created, disabled).when(disable).thenEvents();
  given(webHookDecider, created, disabled).when(rewind).thenRejected('hook_refused');
  given(webHookDecider, created, disabled).when(leave).thenEvents();
  given(webHookDecider, created, disabled).when(update({})).thenEvents(enabled);
  given(webHookDecider, created, disabled, enabled)
    .when({ type: 'EnableWebHook', ...ids })
    .thenEvents();
});

test('a hook falls behind once, and catches up once', () => {
  given(webHookDecider, created).when(leave).thenEvents(behind);
  given(webHookDecider, created, behind).when(leave).thenEvents();
  given(webHookDecider, created).when(catchUp).thenEvents();
  for (const event of [behind, rewound])
    given(webHookDecider, created, event)
      .when(catchUp)
      .thenEvents({ type: 'WebHookCaughtUp', data: { ...ids, toldUpTo: '9' } });
  given(webHookDecider, created, behind).when(rewind).thenEvents(rewound);
});

test('a deleted hook, or one of another place, is not found', () => {
  const remove = { type: 'DeleteWebHook', ...ids } as const;
  const deleted: WebHookEvent = { type: 'WebHookDeleted', data: ids };
  given(webHookDecider, created).when(remove).thenEvents(deleted);
  given(webHookDecider, created, deleted).when(remove).thenRejected('record_not_found');
  given(webHookDecider, created)
    .when({ ...remove, projectId: 8 })
    .thenRejected('record_not_found');
  given(webHookDecider, created)
    .when({ ...remove, projectId: null, groupId: 7 })
    .thenRejected('record_not_found');
});
