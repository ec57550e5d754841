import { commitDiscussions } from '@forgelog/contracts/tracker/commit-comments/commit-discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { discussionRoutes } from '../discussions/discussion.routes.ts';
import { commitCommentRoutes } from './commit-comment.routes.ts';
import { discussedCommits } from './discussed-commits.ts';

export const commitCommentSlice = defineSlice<ServicePorts>({
  routes: [commitCommentRoutes, (ports) => discussionRoutes(ports, discussedCommits, commitDiscussions)],
});
