import type { Scenario } from '../harness/scenario.ts';
import { artifacts } from './artifacts.ts';
import { bodies } from './bodies.ts';
import { ciConfiguration } from './ci-configuration.ts';
import { codeSearch } from './code-search.ts';
import { comparisons } from './comparisons.ts';
import { eventStream } from './event-stream.ts';
import { forks } from './forks.ts';
import { gitReads } from './git-reads.ts';
import { hooks } from './hooks.ts';
import { jobQueue } from './job-queue.ts';
import { listQueries } from './list-queries.ts';
import { lists } from './lists.ts';
import { mergeRequests } from './merge-requests.ts';
import { neighbours } from './neighbours.ts';
import { newReplica } from './new-replica.ts';
import { oneIssue } from './one-issue.ts';
import { oneShots } from './one-shots.ts';
import { pipelines } from './pipelines.ts';
import { pushes } from './pushes.ts';
import { refs } from './refs.ts';
import { repository } from './repository.ts';
import { routes } from './routes.ts';
import { search } from './search.ts';
import { split } from './split.ts';
import { startAndSize } from './start-and-size.ts';
import { steadiness } from './steadiness.ts';
import { storageMoves } from './storage-moves.ts';
import { writes } from './writes.ts';

export const scenarios: readonly Scenario[] = [
  oneIssue,
  routes,
  lists,
  listQueries,
  search,
  codeSearch,
  writes,
  startAndSize,
  repository,
  comparisons,
  oneShots,
  refs,
  gitReads,
  pushes,
  neighbours,
  steadiness,
  ciConfiguration,
  eventStream,
  forks,
  jobQueue,
  artifacts,
  pipelines,
  bodies,
  split,
  newReplica,
  mergeRequests,
  hooks,
  storageMoves,
];
