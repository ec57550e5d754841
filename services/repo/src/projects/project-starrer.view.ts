import { projectStarrerView } from '@forgelog/contracts/repo/projects/project-starrer.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { ProjectStarRow } from './project.collection.ts';

export const projectStarrerJson = implementView(projectStarrerView).from<ProjectStarRow>({
  starred_since: 'starredAt',
  user: user('userId'),
});
