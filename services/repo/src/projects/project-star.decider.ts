import type { ProjectStarEvent } from '@forgelog/contracts/repo/projects/project-star.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface StarCommand {
  type: 'StarProject' | 'UnstarProject';
  projectId: number;
  userId: number;
}

export const projectStarStream = (projectId: number, userId: number) => `projectStar-${projectId}-${userId}`;

/** Whether the star exists. Setting it twice is a no-op. */
export const projectStarDecider: Decider<boolean, StarCommand, ProjectStarEvent> = {
  initialState: false,
  decide({ type, projectId, userId }, isStarred) {
    if ((type === 'StarProject') === isStarred) return [];
    return [{ type: isStarred ? 'ProjectUnstarred' : 'ProjectStarred', data: { projectId, userId } }];
  },
  evolve: (_, { type }) => type === 'ProjectStarred',
};
