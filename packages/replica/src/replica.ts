import type { Contract } from './contract.ts';
import type { Database } from './database.ts';
import { createLifetimes, type Lifetimes } from './lifetimes.ts';
import type { PublishedEvent } from './published-event.ts';
import { Refusal } from './refusal.ts';
import { createTables, tablesId } from './schema.ts';
import { eventVersions, factTables, recordTables } from './tables.ts';

export interface ReplicaState {
  /** Position of the last event in the tables; null before the first. */
  position: string | null;
  /** Number of events in the tables. */
  count: number;
}

export interface Replica {
  state(): ReplicaState;
  /** Writes events and their last position in one transaction, by the rules of the server. */
  apply(events: readonly PublishedEvent[], contract: Contract): Promise<void>;
}

/** @throws Refusal where the tables are of another version of this program */
export async function openReplica(database: Database): Promise<Replica> {
  let state = await readState(database);

  async function applyOne(event: PublishedEvent, lifetimes: Lifetimes): Promise<void> {
    checkVersion(event);
    for (const { name, rowOf } of factTables) {
      const row = rowOf(event);
      if (row === undefined) continue;
      const names = Object.keys(row);
      await database.run(
        `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      );
    }
    await lifetimes.apply(event);
  }

  return {
    state: () => state,
    async apply(events, contract) {
      const { position } = state;
      // The server repeats nothing, but a reconnection may race with what was under way.
      const fresh = events.filter((event) => position === null || event.position > position);
      const last = fresh.at(-1);
      if (!last) return;
      const lifetimes = createLifetimes(database, contract, recordTables);
      const next = { position: last.position, count: state.count + fresh.length };
      await database.transaction(async () => {
        await checkPosition(database, position);
        for (const event of fresh) await applyOne(event, lifetimes);
        await database.run('UPDATE replica_position SET position = ?, event_time = ?, event_count = ?', [
          next.position,
          last.time,
          next.count,
        ]);
      });
      state = next;
    },
  };
}

async function readState(database: Database): Promise<ReplicaState> {
  const exists = await database.all("SELECT name FROM sqlite_master WHERE name = 'replica_position'");
  if (exists.length === 0)
    await database.transaction(async () => {
      await createTables(database);
      await database.run("INSERT INTO replica_position VALUES ('', '', 0, ?)", [tablesId]);
    });
  const [row] = await database.all('SELECT * FROM replica_position');
  if (row!.tables !== tablesId)
    throw new Refusal(
      'the tables were made by another version of this program. Remove the file, or name another one: it is filled from the first event.',
    );
  return { position: (row!.position as string) || null, count: row!.event_count as number };
}

async function checkPosition(database: Database, position: string | null): Promise<void> {
  const [row] = await database.all('SELECT position FROM replica_position');
  if (row!.position !== (position ?? ''))
    throw new Refusal('another program follows the stream into the same file. End one of them.');
}

function checkVersion({ type, schemaversion, position }: PublishedEvent): void {
  const known = eventVersions[type];
  if (known === undefined || known === schemaversion) return;
  const which = schemaversion > known ? 'Update this program' : 'Update the server';
  throw new Refusal(
    `the event ${type} at ${position} has version ${schemaversion}, and the tables are made for version ${known}. ${which}; nothing of the event was written.`,
  );
}
