import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectCreated, projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { projectTopics, topics, topicsProjection } from './topics.projection.ts';

const topicCreated = (topicId: number, name: string): DomainEvent => ({
  type: 'TopicCreated',
  data: { topicId, name, title: name, description: null, avatarUrl: null },
});
const carrying = (id: number, ...names: string[]) =>
  projectCreated(id, { settings: { topics: names } }).event;
const updated = (projectId: number, names: string[]): DomainEvent => ({
  type: 'ProjectUpdated',
  data: { projectId, changes: { settings: { topics: names } }, previous: null },
});

test('a topic counts the projects that carry it, before and after it was made', async () => {
  await givenEvents(
    topicsProjection,
    carrying(7, 'Steam', 'water'),
    topicCreated(1, 'steam'),
    topicCreated(2, 'Water'),
    ...[carrying(8, 'STEAM'), carrying(9, 'steam'), updated(7, ['water', 'wind']), projectDeleted(9).event],
  ).thenDocuments(topics, [
    { id: 1, name: 'steam', projectsCount: 1 },
    { id: 2, projectsCount: 1 },
  ]);
});

test('a renamed topic counts those that carry the new name', async () => {
  const given = givenEvents(
    topicsProjection,
    ...[carrying(7, 'steam'), carrying(8, 'vapour'), carrying(9, 'vapour'), topicCreated(1, 'steam')],
    {
      type: 'TopicUpdated',
      data: { topicId: 1, changes: { name: 'vapour' }, previous: { name: 'steam' } },
    },
    updated(7, ['vapour']),
  );
  await given.thenDocuments(topics, [{ id: 1, name: 'vapour', nameLower: 'vapour', projectsCount: 3 }]);
});

test('a deleted topic is gone, and so is what a deleted project carried', async () => {
  const given = givenEvents(
    topicsProjection,
    ...[carrying(7, 'steam'), topicCreated(1, 'steam')],
    { type: 'TopicDeleted', data: { topicId: 1, name: 'steam' } },
    projectDeleted(7).event,
  );
  await given.thenDocuments(topics, []);
  await given.thenDocuments(projectTopics, []);
});
