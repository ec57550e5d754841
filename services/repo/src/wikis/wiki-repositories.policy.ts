import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { RepoPorts } from '../ports.ts';
import { wikiRepositoryOf } from './wiki-repositories.ts';

/** Repositories of wikis go with their project or group. Safe to repeat. */
export const wikiRepositoryPolicies = ({ git }: Pick<RepoPorts, 'git'>): Policy[] => [
  definePolicy({
    name: 'repositories-of-deleted-wikis',
    handles: [ProjectDeleted, GroupDeleted],
    actsAs: 'system',
    async react({ data }) {
      const place =
        'projectId' in data
          ? { projectId: data.projectId, groupId: null }
          : { projectId: null, groupId: data.groupId };
      return git.repository(wikiRepositoryOf(place)).remove();
    },
  }),
];
