import { KeyedQueue } from '../../keyed-queue.ts';
import { UniqueViolationError } from '../../read-store.ts';
import { CollectionWriter } from './collection-writer.ts';
import type { Generation } from './generation.ts';
import { type JournalEntry, type JournalPart, WriteJournal } from './write-journal.ts';

/** Serialises writes to one generation; each is eventually applied as a whole, or not at all. */
export class GuardedWrites {
  readonly #generation: Generation;
  readonly #journal: WriteJournal;
  readonly #queue = new KeyedQueue();
  /** A write failed, here or in an earlier process, so the journal must be replayed first. */
  #unsettled = true;

  constructor(generation: Generation) {
    this.#generation = generation;
    this.#journal = new WriteJournal(generation.collection<JournalPart>('_journal'));
  }

  /** Resolves once failed earlier writes are replayed. Does not wait for a write in progress. */
  async settled(): Promise<void> {
    if (this.#unsettled) await this.#queue.run('write', () => this.#recover());
  }

  write(entry: JournalEntry): Promise<void> {
    if (entry.collections.length === 0) return this.#saveCheckpoints(entry.checkpoints);
    return this.#queue.run('write', async () => {
      await this.#recover();
      for (const { name, markers, changes } of entry.collections)
        await this.#writer(name, markers).check(changes);
      await this.#journalled(entry);
    });
  }

  async #journalled(entry: JournalEntry): Promise<void> {
    try {
      const begun = await this.#journal.begin(entry);
      try {
        await this.#carryOut(entry);
      } catch (error) {
        // Another process wrote these collections meanwhile. The entry would fail on every replay, so drop it.
        if (error instanceof UniqueViolationError) await this.#journal.end(begun);
        throw error;
      }
      await this.#journal.end(begun);
    } catch (error) {
      this.#unsettled = true;
      throw error;
    }
  }

  /** Checkpoints come last: they state that the changes are stored. */
  async #carryOut({ collections, checkpoints }: JournalEntry): Promise<void> {
    await allDone(
      collections.map(({ name, markers, changes }) => this.#writer(name, markers).apply(changes)),
    );
    await this.#saveCheckpoints(checkpoints);
  }

  async #saveCheckpoints(checkpoints: JournalEntry['checkpoints']): Promise<void> {
    await allDone(
      checkpoints.map(({ name, position }) =>
        this.#generation.checkpoints(name).replaceOne({ _id: name }, { position }, { upsert: true }),
      ),
    );
  }

  async #recover(): Promise<void> {
    if (!this.#unsettled) return;
    for (const { entry, parts } of await this.#journal.pending()) {
      for (const part of parts) await this.#carryOut(part);
      await this.#journal.end(entry);
    }
    this.#unsettled = false;
  }

  #writer(name: string, markers: readonly string[]): CollectionWriter {
    return new CollectionWriter(this.#generation.collection(name), markers);
  }
}

/** Like `Promise.all`, but waits for all of them even after a failure: a running one must not overlap the recovery. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
