import type { CustomAttributeEvent } from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import {
  type CustomAttributeCommand,
  customAttributeDecider,
  customAttributesStream,
} from './custom-attribute.decider.ts';

const owner = { userId: null, groupId: null, projectId: 7 };
const ids = { customAttributeId: 5, ...owner, key: 'location' };
const set = {
  type: 'SetCustomAttribute',
  ...ids,
  value: 'Antwerp',
} as const satisfies CustomAttributeCommand;
const created: CustomAttributeEvent = { type: 'CustomAttributeCreated', data: { ...ids, value: 'Antwerp' } };
const remove = { type: 'DeleteCustomAttribute', ...owner, key: 'location' } as const;
const deleted: CustomAttributeEvent = { type: 'CustomAttributeDeleted', data: ids };

test('an attribute is created once, and changed from then on', () => {
  given(customAttributeDecider).when(set).thenEvents(created);
  given(customAttributeDecider, created).when(set).thenEvents();
  given(customAttributeDecider, created)
    .when({ ...set, customAttributeId: 6, value: 'Ghent' })
    .thenEvents({
      type: 'CustomAttributeUpdated',
      data: { ...ids, changes: { value: 'Ghent' }, previous: { value: 'Antwerp' } },
    });
  // Names differ by case.
  given(customAttributeDecider, created)
    .when({ ...set, customAttributeId: 6, key: 'Location' })
    .thenEvents({
      type: 'CustomAttributeCreated',
      data: { ...created.data, customAttributeId: 6, key: 'Location', value: 'Antwerp' },
    });
});

test('what is deleted is gone, and can be set anew', () => {
  given(customAttributeDecider, created).when(remove).thenEvents(deleted);
  given(customAttributeDecider, created, deleted).when(remove).thenRejected('record_not_found');
  given(customAttributeDecider).when(remove).thenRejected('record_not_found');
  given(customAttributeDecider, created, deleted)
    .when({ ...set, customAttributeId: 6 })
    .thenEvents({ ...created, data: { ...created.data, customAttributeId: 6 } } as CustomAttributeEvent);
});

test('all that is wrong is said at once, and no owner has more than 1,000', () => {
  const message = { key: ['is too long (maximum is 255 characters)'], value: ["can't be blank"] };
  given(customAttributeDecider)
    .when({ ...set, key: 'k'.repeat(256), value: ' ' })
    .thenRejected('validation_failed', { message });
  given(customAttributeDecider)
    .when({ ...set, key: ' ' })
    .thenRejected('validation_failed', { message: { key: ["can't be blank"] } });
  const full = Array.from({ length: 1000 }, (_, at) => ({
    ...created,
    data: { ...created.data, customAttributeId: at, key: `key${at}` },
  })) as CustomAttributeEvent[];
  given(customAttributeDecider, ...full)
    .when(set)
    .thenRejected('validation_failed');
  given(customAttributeDecider, ...full)
    .when({ ...set, key: 'key1' })
    .thenEvents();
});

test('each owner has a stream', () => {
  const none = { userId: null, groupId: null, projectId: null };
  expect([
    customAttributesStream({ ...none, userId: 7 }),
    customAttributesStream({ ...none, groupId: 7 }),
    customAttributesStream(owner),
  ]).toEqual(['customAttributes-user-7', 'customAttributes-group-7', 'customAttributes-project-7']);
});
