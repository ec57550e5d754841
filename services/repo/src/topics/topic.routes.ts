import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createTopic,
  deleteTopic,
  getTopic,
  getTopicAvatar,
  listTopics,
  updateTopic,
} from '@forgelog/contracts/repo/topics/topic.api.ts';
import { and, asc, type Condition, desc, eq, includes, or } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { avatarAnswer, requireAvatar, storeAvatar } from '@forgelog/service-kit/avatar.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { TOPICS_STREAM, topicDecider } from './topic.decider.ts';
import { topicJson } from './topic.view.ts';
import { topics } from './topics.projection.ts';

export function topicRoutes(ports: RepoPorts): Implementation[] {
  const { commands, ids, objects, readStore } = ports;
  const view = topicJson.renderer(ports);

  async function answerOf(id: number) {
    const row = await readStore.get(topics, id);
    if (!row) throw new Rejection('record_not_found');
    return json(view.one(row));
  }

  return [
    implement(listTopics, async ({ params: { search, without_projects }, page }) => {
      const conditions: Condition[] = [];
      if (search) conditions.push(or(includes('name', search), includes('title', search)));
      if (without_projects) conditions.push(eq('projectsCount', 0));
      const sort = [desc('projectsCount'), asc('id')];
      return listPage(readStore, topics, { where: and(...conditions), sort, page, view });
    }),

    implement(getTopic, async ({ params }) => answerOf(params.id)),

    implement(createTopic, async ({ params, metadata }) => {
      const { name, title = name, description = null, avatar } = params;
      requireAvatar(avatar);
      const draft = { type: 'CreateTopic' as const, name, title, description, avatarUrl: null };
      // Validate before reserving an id and storing an image.
      const { state } = await commands.load(topicDecider, TOPICS_STREAM);
      topicDecider.decide({ ...draft, topicId: 0 }, state);
      const topicId = await ids.next('topic');
      const avatarUrl = (await storeAvatar(objects, { kind: 'topic', id: topicId }, avatar)) ?? null;
      await commands.handle(topicDecider, TOPICS_STREAM, { ...draft, topicId, avatarUrl }, metadata);
      return answerOf(topicId);
    }),

    implement(updateTopic, async ({ params, metadata }) => {
      const { id: topicId, avatar, ...changes } = params;
      requireAvatar(avatar);
      const command = (avatarUrl?: string | null) => ({
        type: 'UpdateTopic' as const,
        topicId,
        changes: { ...changes, avatarUrl },
      });
      const { state } = await commands.load(topicDecider, TOPICS_STREAM);
      topicDecider.decide(command(), state);
      const avatarUrl = await storeAvatar(objects, { kind: 'topic', id: topicId }, avatar);
      await commands.handle(topicDecider, TOPICS_STREAM, command(avatarUrl), metadata);
      return answerOf(topicId);
    }),

    implement(deleteTopic, async ({ params, metadata }) => {
      const command = { type: 'DeleteTopic' as const, topicId: params.id };
      await commands.handle(topicDecider, TOPICS_STREAM, command, metadata);
      return noContent();
    }),

    implement(getTopicAvatar, async ({ params, headers }) =>
      avatarAnswer(objects, headers, (await readStore.get(topics, params.id))?.avatarUrl),
    ),
  ];
}
