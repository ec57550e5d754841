import { type Condition, eq } from '@forgelog/eventing/query.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { WikiPlace } from './wiki.decider.ts';

export const projectWiki = ({ project }: Pick<ApiRequest, 'project'>): WikiPlace => ({
  projectId: project.project.id,
  groupId: null,
});

export const groupWiki = ({ group }: Pick<ApiRequest, 'group'>): WikiPlace => ({
  projectId: null,
  groupId: group.group.id,
});

export const inWiki = ({ projectId, groupId }: WikiPlace): Condition =>
  projectId === null ? eq('groupId', groupId) : eq('projectId', projectId);
