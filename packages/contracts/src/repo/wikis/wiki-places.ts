import { type Access, group, project, type Tier } from '../../endpoint.ts';
import { groupId, projectId } from '../../shared/common.params.ts';

/** A kind of place that has wikis, and who reads and writes them there. */
export interface WikiPlace {
  /** What ids of its endpoints begin with. */
  prefix: string;
  of: string;
  path: string;
  tier: Tier;
  reads: Access;
  writes: Access;
  deletes: Access;
  where: { id: typeof projectId | typeof groupId };
}

export const PROJECT_WIKI: WikiPlace = {
  prefix: '',
  of: 'project',
  path: '/projects/:id/wikis',
  tier: 'free',
  reads: project('anyone', { feature: 'wiki' }),
  writes: project('developer', { feature: 'wiki' }),
  deletes: project('maintainer', { feature: 'wiki' }),
  where: { id: projectId },
};

export const GROUP_WIKI: WikiPlace = {
  prefix: 'group-',
  of: 'group',
  path: '/groups/:id/wikis',
  tier: 'premium',
  reads: group('anyone'),
  writes: group('developer'),
  deletes: group('maintainer'),
  where: { id: groupId },
};
