import { expect, test } from 'vitest';
import { definePolicy } from './define-policy.ts';
import { bySystem, type EventMetadata, type RecordedEvent } from './event.ts';
import { BasketClosed, ItemAdded } from './testing/sample-domain.ts';

const metadata: EventMetadata = {
  actorId: 5,
  onBehalfBy: 1,
  credential: { kind: 'personal_access_token', id: 9 },
  clientAddress: '192.0.2.1',
  userAgent: 'git/2.39',
  requestId: 'r',
  causationId: null,
  traceparent: 't',
};
const event = (type: string, more = metadata) =>
  ({ id: `id of ${type}`, type, data: {}, metadata: more }) as RecordedEvent;

async function metadataOf(caught: RecordedEvent): Promise<EventMetadata | undefined> {
  let seen: EventMetadata | undefined;
  const policy = definePolicy({
    name: 'p',
    handles: [ItemAdded, BasketClosed],
    actsAs: { ItemAdded: 'system', BasketClosed: 'actor' },
    async react(_, reaction) {
      seen = reaction.metadata;
    },
  });
  expect(policy.actsAs).toEqual({ ItemAdded: 'system', BasketClosed: 'actor' });
  await policy.react(caught, AbortSignal.abort());
  return seen;
}

test('a policy that acts for the actor keeps who, with what and from where', async () => {
  expect(await metadataOf(event('BasketClosed'))).toEqual({ ...metadata, causationId: 'id of BasketClosed' });
});

test('a policy that acts by itself names nobody, its cause and who set it off', async () => {
  const initiator = { actorId: 5, onBehalfBy: 1, clientAddress: '192.0.2.1' };
  const own = {
    ...{ actorId: null, onBehalfBy: null, clientAddress: null, requestId: 'r', traceparent: 't' },
    credential: { kind: 'system', id: null },
  };
  const expected = { ...own, causationId: 'id of ItemAdded', initiator };
  expect(await metadataOf(event('ItemAdded'))).toEqual(expected);
  // A chain of such consequences names who set off the first one.
  const second = bySystem({ id: 'e', metadata: expected as EventMetadata });
  expect(second).toEqual({ ...own, causationId: 'e', initiator });
});
