/*
 * What `npm run test:real` runs, in one place: files and folders of tests, as vitest takes them. A test that needs a
 * server and skips itself without the setting that names it belongs here with its folder.
 */

/** The contracts of the ports, on each adapter that needs a server. */
const CONTRACTS = [
  'packages/eventing/src/adapters/eventstoredb/eventstoredb-event-store.test.ts',
  'packages/eventing/src/adapters/mongodb',
  'packages/eventing/src/adapters/kafka',
];

/** The whole system: five services apart, the log over EventStoreDB's protocol, read models and registers in FerretDB. */
const SYSTEM = [
  'tests/admin',
  'tests/ci',
  'tests/gateway',
  'tests/git',
  'tests/repo',
  'tests/split',
  'tests/tracker',
];

export const SELECTION: readonly string[] = [...CONTRACTS, ...SYSTEM];

/** Of these folders, what does not run there. */
export const LEFT_OUT: readonly string[] = [];
