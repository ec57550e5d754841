import type { ProjectStarEvent } from '@forgelog/contracts/repo/projects/project-star.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { projectStarDecider } from './project-star.decider.ts';

const data = { projectId: 7, userId: 4 };
const starred: ProjectStarEvent = { type: 'ProjectStarred', data };
const unstarred: ProjectStarEvent = { type: 'ProjectUnstarred', data };
const star = { type: 'StarProject', ...data } as const;
const unstar = { type: 'UnstarProject', ...data } as const;

test('a star is given once, and can be given again', () => {
  given(projectStarDecider).when(star).thenEvents(starred);
  given(projectStarDecider, starred).when(star).thenEvents();
  given(projectStarDecider, starred, unstarred).when(star).thenEvents(starred);
});

test('only a star that is there can be taken back', () => {
  given(projectStarDecider, starred).when(unstar).thenEvents(unstarred);
  given(projectStarDecider).when(unstar).thenEvents();
  given(projectStarDecider, starred, unstarred).when(unstar).thenEvents();
});
