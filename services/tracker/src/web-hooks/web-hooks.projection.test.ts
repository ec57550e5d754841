import type { WebHookEvent } from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import type { WebHookDeliveryEvent } from '@forgelog/contracts/tracker/web-hooks/web-hook-delivery.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { KEPT_DELIVERIES, webHookDeliveries, webHooks, webHooksProjection } from './web-hooks.projection.ts';

const created = (webHookId: number, projectId = 7): WebHookEvent => ({
  type: 'WebHookCreated',
  data: {
    ...{ webHookId, projectId, groupId: null, triggers: ['push_events'], branchFilter: null },
    ...{ verifyCertificate: true, sealedUrl: 'url', sealedToken: null },
  },
});
const delivered = (webHookDeliveryId: number, more: object = {}): WebHookDeliveryEvent => ({
  type: 'WebHookDelivered',
  data: {
    ...{
      webHookDeliveryId,
      webHookId: 1,
      projectId: 7,
      groupId: null,
      trigger: 'push_events',
      cause: 'event',
    },
    ...{ eventId: 'e', eventSubject: 'repository-7', eventRevision: 0, part: 0, toldUpTo: '4' },
    ...{ delivered: true, attempts: 1, status: 200, error: null, milliseconds: 3, ...more },
  },
});
const ids = { webHookId: 1, projectId: 7, groupId: null };

test('failures in a row are counted, and where the hook stands is kept', async () => {
  await givenEvents(
    webHooksProjection,
    ...[created(1), delivered(1), delivered(2, { delivered: false, toldUpTo: null })],
    delivered(3, { delivered: false, toldUpTo: '6' }),
    delivered(4, { delivered: false, cause: 'test', toldUpTo: null }),
  ).thenDocuments(webHooks, [{ id: 1, failures: 2, position: '6', place: 'project-7' }]);
});

test('a rewind, a lag and the end of it move the hook', async () => {
  const behind: WebHookEvent = { type: 'WebHookFellBehind', data: { ...ids, toldUpTo: '5' } };
  const rewound: WebHookEvent = { type: 'WebHookRewound', data: { ...ids, toldUpTo: '2' } };
  const caughtUp: WebHookEvent = { type: 'WebHookCaughtUp', data: { ...ids, toldUpTo: '9' } };
  const given = [created(1), behind];
  await givenEvents(webHooksProjection, ...given).thenDocuments(webHooks, [{ behind: true, position: '5' }]);
  await givenEvents(webHooksProjection, ...given, rewound).thenDocuments(webHooks, [
    { behind: true, position: '2' },
  ]);
  await givenEvents(webHooksProjection, ...given, rewound, caughtUp).thenDocuments(webHooks, [
    { behind: false, position: '9' },
  ]);
});

test('the newest deliveries of a hook are kept, and go with it', async () => {
  const many = Array.from({ length: KEPT_DELIVERIES + 1 }, (_, at) => delivered(at + 1));
  const kept = many.slice(1).map(({ data }) => ({ id: data.webHookDeliveryId }));
  await givenEvents(webHooksProjection, created(1), ...many).thenDocuments(webHookDeliveries, kept);
  const deleted: WebHookEvent = { type: 'WebHookDeleted', data: ids };
  await givenEvents(webHooksProjection, created(1), delivered(1), deleted).thenDocuments(
    webHookDeliveries,
    [],
  );
  await givenEvents(webHooksProjection, created(1), created(2, 8), projectDeleted(7).event).thenDocuments(
    webHooks,
    [{ id: 2 }],
  );
});
