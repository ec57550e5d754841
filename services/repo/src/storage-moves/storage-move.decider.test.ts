import type { StorageMoveEvent } from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { projectMoved, storageMoveDecider } from './storage-move.decider.ts';

const project = projectMoved(7);
const snippet = { kind: 'snippet', projectId: 7, snippetId: 4, authorId: 5, groupId: null } as const;
const away = { source: 'default', destination: 'second' };

const schedule = (moveId = 1) => ({ type: 'ScheduleMove', moveId, ...project, ...away }) as const;
const advance = (to: 'started' | 'replicated' | 'finished' | 'failed', errorMessage: string | null = null) =>
  ({ type: 'AdvanceMove', moveId: 1, ...project, to, errorMessage }) as const;

const scheduled = (subject: object = project, more: object = away): StorageMoveEvent =>
  ({
    type: 'StorageMoveScheduled',
    data: { moveId: 1, ...subject, ...more, state: 'scheduled' },
  }) as StorageMoveEvent;
const advanced = (from: string, to: string, error?: string, subject: object = project): StorageMoveEvent =>
  ({
    type: 'StorageMoveAdvanced',
    data: {
      ...{ moveId: 1, ...subject },
      changes: { state: to, ...(error && { errorMessage: error }) },
      previous: { state: from, ...(error && { errorMessage: null }) },
    },
  }) as StorageMoveEvent;

const SAME = 'The source and the destination are the same storage';

test('a move goes through its states in their order, each once', () => {
  given(storageMoveDecider).when(schedule()).thenEvents(scheduled());
  given(storageMoveDecider, scheduled())
    .when(advance('started'))
    .thenEvents(advanced('scheduled', 'started'));
  const started = [scheduled(), advanced('scheduled', 'started')];
  given(storageMoveDecider, ...started)
    .when(advance('started'))
    .thenEvents();
  given(storageMoveDecider, ...started)
    .when(advance('finished'))
    .thenEvents();
  const replicated = [...started, advanced('started', 'replicated')];
  given(storageMoveDecider, ...replicated)
    .when(advance('failed', 'x'))
    .thenEvents();
  given(storageMoveDecider, ...replicated)
    .when(advance('finished'))
    .thenEvents(advanced('replicated', 'finished'));
});

test('one at a time, and a failed one may be scheduled again', () => {
  given(storageMoveDecider, scheduled())
    .when(schedule(2))
    .thenRejected('validation_failed', { message: { project: ['is read only'] } });
  const failed = [scheduled(), advanced('scheduled', 'failed', 'The disk is full')];
  given(storageMoveDecider, ...failed)
    .when(schedule())
    .thenEvents(scheduled());
  given(storageMoveDecider, ...failed)
    .when(advance('started'))
    .thenEvents();
});

test('a move to where it is fails, and of what has no repository it is finished at once', () => {
  const here = { source: 'default', destination: 'default' };
  given(storageMoveDecider)
    .when({ ...schedule(), ...here })
    .thenEvents(scheduled(project, here), advanced('scheduled', 'failed', SAME));
  const moveSnippet = { type: 'ScheduleMove', moveId: 1, ...snippet, ...away } as const;
  const done = [scheduled(snippet), advanced('scheduled', 'finished', undefined, snippet)];
  given(storageMoveDecider)
    .when(moveSnippet)
    .thenEvents(...done);
  // It counts on the other storage now.
  given(storageMoveDecider, ...done)
    .when(moveSnippet)
    .thenEvents();
  const back = { source: 'second', destination: 'default' };
  given(storageMoveDecider, ...done)
    .when({ ...moveSnippet, source: null, destination: 'default' })
    .thenEvents(scheduled(snippet, back), advanced('scheduled', 'finished', undefined, snippet));
});
