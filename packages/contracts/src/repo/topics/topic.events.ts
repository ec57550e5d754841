import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './topic.events.examples.json' with { type: 'json' };

const topicId = z.int().describe('Id of the topic.');
const attributes = {
  name: personal(z.string().describe('The word that projects carry, unique without regard to case.')),
  title: personal(z.string().describe('How people read it.')),
  description: personal(z.string().nullable().describe('What it is about; null if not given.')),
  avatarUrl: personal(
    z.string().nullable().describe('Address of the avatar without the host; null for none.'),
  ),
};

/** All topics are one stream, because their names are unique. */
const common = {
  version: 1,
  subject: 'topics-all',
  service: 'repo',
  audit: 'content',
  activity: 'administration',
} as const;

export const TopicCreated = defineEvent({
  ...common,
  type: 'TopicCreated',
  description: 'An administrator created a topic, or a project was the first to carry it.',
  example: examples.TopicCreated,
  schema: z.object({ topicId, ...attributes }),
});

export const TopicUpdated = defineEvent({
  ...common,
  type: 'TopicUpdated',
  description: 'Attributes of a topic changed. Projects get the new name by events of their own.',
  example: examples.TopicUpdated,
  schema: z.object({ topicId, ...changed(attributes) }),
});

export const TopicDeleted = defineEvent({
  ...common,
  type: 'TopicDeleted',
  description: 'A topic was deleted. Projects lose it by events of their own.',
  example: examples.TopicDeleted,
  schema: z.object({ topicId, name: attributes.name }),
});

export const topicEvents = [TopicCreated, TopicUpdated, TopicDeleted] as const;
export type TopicEvent = EventOf<(typeof topicEvents)[number]>;
