import type { CustomAttributeEvent } from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { customAttributes, customAttributesProjection } from './custom-attributes.projection.ts';

const none = { userId: null, groupId: null, projectId: null };
const created = (customAttributeId: number, owner: object): CustomAttributeEvent => ({
  type: 'CustomAttributeCreated',
  data: { customAttributeId, ...none, ...owner, key: 'location', value: 'Antwerp' },
});

test('a value is the last that was set', async () => {
  const ids = { customAttributeId: 1, ...none, projectId: 7, key: 'location' };
  const change = { changes: { value: 'Ghent' }, previous: { value: 'Antwerp' } };
  await givenEvents(
    customAttributesProjection,
    created(1, { projectId: 7 }),
    created(2, { projectId: 8 }),
    { type: 'CustomAttributeUpdated', data: { ...ids, ...change } } satisfies CustomAttributeEvent,
    {
      type: 'CustomAttributeDeleted',
      data: { ...ids, customAttributeId: 2, projectId: 8 },
    } satisfies CustomAttributeEvent,
  ).thenDocuments(customAttributes, [{ id: 1, ...none, projectId: 7, key: 'location', value: 'Ghent' }]);
});

test('attributes end with their owner, and no others', async () => {
  const owners = [{ userId: 4 }, { groupId: 4 }, { projectId: 4 }];
  const all = owners.map((owner, at) => created(at + 1, owner));
  await givenEvents(customAttributesProjection, ...all, projectDeleted(4).event).thenDocuments(
    customAttributes,
    [{ id: 1 }, { id: 2 }],
  );
  await givenEvents(customAttributesProjection, ...all, {
    type: 'GroupDeleted',
    data: { groupId: 4 },
  }).thenDocuments(customAttributes, [{ id: 1 }, { id: 3 }]);
});
