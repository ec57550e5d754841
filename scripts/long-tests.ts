/**
 * Test files that only `.ci/run` runs: loops of kills, faults and bad days, each beside a test of its kind that stays
 * in `npm test`.
 */
export const LONG_TESTS: readonly string[] = [
  // Kept: faults/kill and faults/jobs (kills), faults/races and faults/merge-storms (concurrency), faults/repositories
  // (damaged repositories), system/backup, bad-days/log (what hangs).
  'tests/faults/backup.test.ts',
  'tests/faults/damage.test.ts',
  'tests/faults/deadlines.test.ts',
  'tests/faults/disk.test.ts',
  'tests/faults/forks.test.ts',
  'tests/faults/merges.test.ts',
  'tests/faults/packing.test.ts',
  'tests/faults/ref-changes.test.ts',
  'tests/faults/transfers.test.ts',
  // Kept: bad-days/log (a server that misbehaves), bad-days/start.
  'tests/bad-days/kill.test.ts',
  'tests/bad-days/stop.test.ts',
  // Kept: split/services-apart, split/processes, and the tests beside the client and the listener.
  'tests/split/fresh-reads.test.ts',
  'tests/split/paused-replica.test.ts',
  'tests/split/rolling-restart.test.ts',
  // Kept: system/backup, system/administration, infra/systemd.
  'tests/system/run-page.test.ts',
  // Kept: replica/season (in its short form).
  'tests/replica/questions.test.ts',
];
