/*
 * What `npm run test:real` runs, in one place: files and folders of tests, as vitest takes them. A test that needs a
 * server and skips itself without the setting that names it belongs here with its folder.
 */

/** The contracts of the ports, on each adapter that needs a server. */
const CONTRACTS = [
  'packages/eventing/src/adapters/eventstoredb/eventstoredb-event-store.test.ts',
  'packages/eventing/src/adapters/mongodb/',
  'packages/eventing/src/adapters/kafka/',
];

/**
 * The whole system. A test costs more than a second of processor time here, most of it FerretDB's, so those are chosen
 * that lean on the stores: what one service writes and another reads, replicas, races, unique names, policies, lists,
 * and events that are held against answers. Any other file may be added, for the time that it takes, unless it sends
 * hundreds of writes at once: FerretDB shows some of them later than a writer waits, which is answered 503 by right.
 */
const SYSTEM = [
  'tests/split/',
  'tests/bad-days/',
  'tests/ci/',
  'tests/git/push.test.ts',
  'tests/gateway/authentication.test.ts',
  'tests/gateway/event-stream.test.ts',
  'tests/gateway/remembered-answers.test.ts',
  'tests/admin/access-tokens.test.ts',
  'tests/admin/audit-events.test.ts',
  'tests/admin/group-members.test.ts',
  'tests/admin/names.test.ts',
  'tests/admin/read-models.test.ts',
  'tests/repo/project-list.test.ts',
  // The API's document against the API, on a server in one process.
  'tests/system/schemathesis.test.ts',
  // Where the product feeds Kafka.
  'tests/system/kafka.test.ts',
  'tests/tracker/issue-numbers.test.ts',
  'tests/tracker/issues.test.ts',
  'tests/tracker/time-tracking.test.ts',
];

export const SELECTION: readonly string[] = [...CONTRACTS, ...SYSTEM];

/** Of these folders, what does not run there, and why. */
export const LEFT_OUT: readonly string[] = [
  // A thousand writes at once.
  'tests/split/fresh-reads.test.ts',
  // Eighteen tests of many clusters: minutes here, and instances start too slowly for those that wait on a start.
  'tests/split/storages.test.ts',
  // They start their own log and keep read models in SQLite, whatever the settings say: `npm test` has run them.
  'tests/bad-days/kill.test.ts',
  'tests/bad-days/log.test.ts',
  'tests/bad-days/start.test.ts',
  'tests/bad-days/stop.test.ts',
];
