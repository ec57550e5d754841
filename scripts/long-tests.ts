/**
 * Test files that only `.ci/run` runs: kills, faults, bad days and many processes, each beside a test of its kind that
 * stays in `npm test`.
 */
export const LONG_TESTS: readonly string[] = [
  // Kept: faults/kill, faults/jobs and faults/hooks (kills), faults/races and faults/merge-storms (concurrency),
  // git/recovery, system/verify and the recovery tests beside packages/git and repo's reconciler (damaged repositories),
  // faults/log-connection, system/backup, bad-days/log (what hangs).
  'tests/faults/backup.test.ts',
  'tests/faults/damage.test.ts',
  'tests/faults/deadlines.test.ts',
  'tests/faults/disk.test.ts',
  'tests/faults/due-deletions.test.ts',
  'tests/faults/expired-artifacts.test.ts',
  'tests/faults/forks.test.ts',
  'tests/faults/heavy-reads.test.ts',
  'tests/faults/merges.test.ts',
  'tests/faults/packages.test.ts',
  'tests/faults/packing.test.ts',
  'tests/faults/projection-halts.test.ts',
  'tests/faults/ref-changes.test.ts',
  'tests/faults/releases.test.ts',
  'tests/faults/repositories.test.ts',
  'tests/faults/shutdown.test.ts',
  'tests/faults/storage-moves.test.ts',
  'tests/faults/transfers.test.ts',
  // Kept: bad-days/log (a server that misbehaves), bad-days/start, and the tests beside large bodies.
  'tests/bad-days/kill.test.ts',
  'tests/bad-days/large-bodies.test.ts',
  'tests/bad-days/replay.test.ts',
  'tests/bad-days/stop.test.ts',
  // Kept: split/services-apart, split/processes, split/storage-moves, and the tests beside the client, the listener and copies.
  'tests/split/copied-replica.test.ts',
  'tests/split/feed.test.ts',
  'tests/split/fresh-reads.test.ts',
  'tests/split/gateways.test.ts',
  'tests/split/paused-replica.test.ts',
  'tests/split/rolling-restart.test.ts',
  'tests/split/storage-moves-faults.test.ts',
  'tests/split/storages.test.ts',
  'tests/split/telemetry.test.ts',
  // Kept: system/backup, system/verify, system/start-and-stop, infra/systemd, and the tests beside restores and spans.
  'tests/system/administration.test.ts',
  'tests/system/restore.test.ts',
  'tests/system/run-page.test.ts',
  'tests/system/tracing.test.ts',
  // Kept: generated-client/generated-client, which compiles what one generator makes.
  'tests/generated-client/generated-events.test.ts',
  // Kept: replica/season (in its short form).
  'tests/replica/questions.test.ts',
  // Kept: tracker/web-hooks, faults/hooks.
  'tests/tracker/slow-receivers.test.ts',
];
