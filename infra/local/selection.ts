/* The tests of `npm run test:real`: files and folders, as vitest takes them. A test that skips itself without a server's setting belongs here with its folder. */

/** The contracts of the ports, on each adapter that needs a server. */
const CONTRACTS = [
  'packages/eventing/src/adapters/eventstoredb/eventstoredb-event-store.test.ts',
  'packages/eventing/src/adapters/mongodb/',
  'packages/eventing/src/adapters/kafka/',
  'packages/object-store/src/adapters/s3-object-store.test.ts',
];

/**
 * System tests. Each costs more than a second of CPU time here, mostly FerretDB's. So only those are chosen that
 * exercise the stores: reads across services, replicas, races, unique names, policies, lists, and events compared with
 * answers. Tests with hundreds of concurrent writes stay out: FerretDB shows some too late, which is rightly a 503.
 */
const SYSTEM = [
  'tests/split/',
  'tests/bad-days/',
  'tests/ci/',
  'tests/clients/glab.test.ts',
  'tests/clients/release-clients.test.ts',
  'tests/generated-client/generated-events.test.ts',
  'tests/git/push.test.ts',
  'tests/infra/alerts.test.ts',
  'tests/infra/proxies.test.ts',
  'tests/gateway/authentication.test.ts',
  'tests/gateway/event-stream.test.ts',
  'tests/gateway/remembered-answers.test.ts',
  'tests/admin/access-tokens.test.ts',
  'tests/admin/audit-events.test.ts',
  'tests/admin/group-members.test.ts',
  'tests/admin/names.test.ts',
  'tests/admin/read-models.test.ts',
  'tests/repo/project-list.test.ts',
  // Tests the API against its own document, on a server in one process.
  'tests/system/schemathesis.test.ts',
  'tests/system/kafka.test.ts',
  'tests/tracker/issue-numbers.test.ts',
  'tests/tracker/issues.test.ts',
  'tests/tracker/time-tracking.test.ts',
];

export const SELECTION: readonly string[] = [...CONTRACTS, ...SYSTEM];

/** Tests in these folders that are left out, and why. */
export const LEFT_OUT: readonly string[] = [
  // A thousand writes at once.
  'tests/split/fresh-reads.test.ts',
  // Eighteen tests of many clusters: they take minutes, and instances start too slowly for some.
  'tests/split/storages.test.ts',
  // Their instances of repo write many registers, and FerretDB looks through all versions of all of them at each read: a
  // move takes minutes there.
  'tests/split/storage-moves.test.ts',
  'tests/split/storage-moves-faults.test.ts',
  // They start their own log and use SQLite whatever the settings say: `.ci/run` runs them without these servers.
  'tests/split/rolling-restart.test.ts',
  'tests/bad-days/kill.test.ts',
  'tests/bad-days/large-bodies.test.ts',
  'tests/bad-days/log.test.ts',
  'tests/bad-days/replay.test.ts',
  'tests/bad-days/start.test.ts',
  'tests/bad-days/stop.test.ts',
];
