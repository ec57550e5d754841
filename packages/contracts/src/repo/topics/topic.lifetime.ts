import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { TopicCreated, TopicDeleted, TopicUpdated } from './topic.events.ts';

export const topicLifetime = defineLifetime({
  kind: 'Topic',
  id: ['topicId'],
  begins: [begins(TopicCreated)],
  changes: changedBy(TopicUpdated),
  ends: [endsWith(TopicDeleted, ['topicId'])],
});
