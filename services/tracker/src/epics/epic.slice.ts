import { epicDiscussions, epicNotes } from '@forgelog/contracts/tracker/epics/epic-discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { discussionRoutes } from '../discussions/discussion.routes.ts';
import { noteRoutes } from '../discussions/note.routes.ts';
import { discussedEpics } from './discussed-epics.ts';
import { epicRoutes } from './epic.routes.ts';
import { epicChildRoutes } from './epic-child.routes.ts';
import { epicIssueRoutes } from './epic-issue.routes.ts';
import { epicsProjection } from './epics.projection.ts';

export const epicSlice = defineSlice<ServicePorts>({
  routes: [
    epicRoutes,
    epicIssueRoutes,
    epicChildRoutes,
    (ports) => discussionRoutes(ports, discussedEpics, epicDiscussions),
    (ports) => noteRoutes(ports, discussedEpics, epicNotes),
  ],
  projections: [epicsProjection],
});
