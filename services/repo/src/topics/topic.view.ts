import { topicView } from '@forgelog/contracts/repo/topics/topic.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { host, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';
import type { TopicRow } from './topics.projection.ts';

export const topicJson = implementView(topicView).from<TopicRow>({
  id: 'id',
  name: 'name',
  title: 'title',
  description: 'description',
  total_projects_count: 'projectsCount',
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
});
