import type { TopicEvent } from '@forgelog/contracts/repo/topics/topic.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { topicDecider } from './topic.decider.ts';

const attributes = { name: 'steam', title: 'Steam engines', description: null, avatarUrl: null };
const created = (topicId: number, name = 'steam'): TopicEvent => ({
  type: 'TopicCreated',
  data: { topicId, ...attributes, name },
});
const create = { type: 'CreateTopic', topicId: 1, ...attributes } as const;

test('a topic is created once, and its name is taken in any case', () => {
  given(topicDecider).when(create).thenEvents(created(1));
  given(topicDecider, created(1)).when(create).thenRejected('conflict');
  given(topicDecider, created(1))
    .when({ ...create, topicId: 65, name: 'STEAM' })
    .thenRejected('validation_failed', { message: { name: ['has already been taken'] } });
});

test.each([' ', 'a\nb'])('a name is neither blank nor of two lines: %j', (name) => {
  given(topicDecider)
    .when({ ...create, name })
    .thenRejected('validation_failed');
});

test('words of projects become topics where there is none, each once', () => {
  const topics = ['STEAM', 'water', 'Water', 'a\nb'].map((name, at) => ({ topicId: 5 + at, name }));
  given(topicDecider, created(1))
    .when({ type: 'EnsureTopics', topics })
    .thenEvents({
      type: 'TopicCreated',
      data: { topicId: 6, name: 'water', title: 'water', description: null, avatarUrl: null },
    });
});

test('an update records only changes, and may change the case of its own name', () => {
  const update = (changes: object) => ({ type: 'UpdateTopic', topicId: 1, changes }) as const;
  given(topicDecider, created(1))
    .when(update({ name: 'Steam', title: 'Steam engines' }))
    .thenEvents({
      type: 'TopicUpdated',
      data: { topicId: 1, changes: { name: 'Steam' }, previous: { name: 'steam' } },
    });
  given(topicDecider, created(1), created(2, 'water'))
    .when(update({ name: 'Water' }))
    .thenRejected('validation_failed');
  given(topicDecider, created(1))
    .when(update({ title: undefined }))
    .thenEvents();
});

test('a deleted topic is not found, and its name is free', () => {
  const deleted: TopicEvent = { type: 'TopicDeleted', data: { topicId: 1, name: 'steam' } };
  const remove = { type: 'DeleteTopic', topicId: 1 } as const;
  given(topicDecider, created(1)).when(remove).thenEvents(deleted);
  given(topicDecider, created(1), deleted).when(remove).thenRejected('record_not_found');
  given(topicDecider, created(1), deleted)
    .when({ ...create, topicId: 2 })
    .thenEvents(created(2));
});
