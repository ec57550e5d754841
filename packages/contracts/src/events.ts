import { accessTokenEvents } from './admin/access-token.events.ts';
import { groupEvents } from './admin/group.events.ts';
import { projectMemberEvents } from './admin/project-member.events.ts';
import { userEvents } from './admin/user.events.ts';
import { environmentEvents } from './ci/environment.events.ts';
import { freezePeriodEvents } from './ci/freeze-period.events.ts';
import type { EventDefinition } from './event.ts';
import { ProjectCreationAbandoned, projectEvents } from './repo/project.events.ts';
import { projectStarEvents } from './repo/project-star.events.ts';
import { repositoryEvents } from './repo/repository.events.ts';
import { IdsReserved } from './shared/id.events.ts';
import { NameForfeited, nameEvents } from './shared/route.events.ts';
import { discussionEvents } from './tracker/discussion.events.ts';
import { issueEvents } from './tracker/issue.events.ts';
import { todoEvents } from './tracker/todo.events.ts';

/** Every event there is: a line a slice. */
export const events: readonly EventDefinition[] = [
  IdsReserved,
  ...nameEvents,
  NameForfeited,
  // admin
  ...userEvents,
  ...accessTokenEvents,
  ...groupEvents,
  ...projectMemberEvents,
  // repo
  ...projectEvents,
  ProjectCreationAbandoned,
  ...projectStarEvents,
  ...repositoryEvents,
  // tracker
  ...discussionEvents,
  ...issueEvents,
  ...todoEvents,
  // ci
  ...environmentEvents,
  ...freezePeriodEvents,
];
