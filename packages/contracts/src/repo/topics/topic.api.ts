import { z } from 'zod';
import { administrator, anyone, defineEndpoint } from '../../endpoint.ts';
import { bool, described, int, nullable, required, text } from '../../params.ts';
import { avatar } from '../../shared/avatar.ts';
import { RASTER_TYPES } from '../../shared/raster-types.ts';
import { defineView } from '../../views.ts';
import examples from './topic.examples.json' with { type: 'json' };

/** Topic (companions 2.11). `total_projects_count` counts projects that the caller may not see, too. */
export const topicView = defineView(
  'Topic',
  {
    id: z.int(),
    name: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    total_projects_count: z.int(),
    avatar_url: z.string().nullable(),
  },
  examples.Topic,
);

const common = { service: 'repo', spec: 'companions 2.11' } as const;
const id = described(required(int()), 'Id of the topic');
const name = described(text({ max: 255 }), 'The word that projects carry, unique without regard to case', {
  examples: ['steam'],
});
const title = described(text({ max: 255 }), 'How people read it', { examples: ['Steam engines'] });
const description = described(nullable(text({ max: 1024 })), 'What it is about', {
  examples: ['All that runs on steam'],
});

export const listTopics = defineEndpoint({
  ...common,
  id: 'topic-list',
  method: 'GET',
  path: '/topics',
  summary: 'Topics, those of most projects first',
  access: anyone,
  params: {
    search: described(text({ max: 255 }), 'Only topics with this in their name or title'),
    without_projects: described(bool(), 'Only topics that no project carries'),
  },
  pagination: 'offset',
  response: z.array(topicView),
});

export const getTopic = defineEndpoint({
  ...common,
  id: 'topic-get',
  method: 'GET',
  path: '/topics/:id',
  summary: 'One topic',
  access: anyone,
  params: { id },
  response: topicView,
});

export const createTopic = defineEndpoint({
  ...common,
  id: 'topic-create',
  method: 'POST',
  path: '/topics',
  summary: 'Create a topic',
  access: administrator,
  params: { name: required(name), title, description, avatar },
  status: 201,
  response: topicView,
});

export const updateTopic = defineEndpoint({
  ...common,
  id: 'topic-update',
  method: 'PUT',
  path: '/topics/:id',
  summary: 'Change a topic; projects that carry it get its new name',
  access: administrator,
  params: { id, name, title, description, avatar },
  response: topicView,
});

export const deleteTopic = defineEndpoint({
  ...common,
  id: 'topic-delete',
  method: 'DELETE',
  path: '/topics/:id',
  summary: 'Delete a topic, and take it from all projects',
  access: administrator,
  params: { id },
  status: 204,
});

/** Answers at `/uploads/-/system/topic/avatar/:id/…` too, as `avatar_url` has it. */
export const getTopicAvatar = defineEndpoint({
  ...common,
  id: 'topic-avatar-get',
  method: 'GET',
  path: '/topics/:id/avatar',
  summary: 'Avatar of a topic',
  access: anyone,
  params: { id },
  mediaTypes: RASTER_TYPES,
  otherStatuses: [304],
});

export const topicEndpoints = [listTopics, getTopic, createTopic, updateTopic, deleteTopic, getTopicAvatar];
