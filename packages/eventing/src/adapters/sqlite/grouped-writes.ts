import { UniqueViolationError, type WriteBatch } from '../../read-store.ts';
import type { ReadConnection } from './read-connection.ts';
import { isConstraint } from './sqlite-errors.ts';

/** A transaction with so many is committed: a millisecond's work. */
const MOST_CHANGES = 1024;
/** How long a transaction stays open for more of them, and what was taken back until it is made again. */
const OPEN_MS = 100;

/**
 * Makes a batch's changes within the open transaction.
 * @param vacate whether all documents leave before any comes back, for those that pass a unique value on
 */
export type ApplyBatch = (batch: WriteBatch, vacate: boolean) => void;

/**
 * Batches of writes, several to a transaction: every batch changes the pages at the ends of the same indexes, which
 * then go to disk once. Batches are seen at once, through the one connection that the file has. What a killed process
 * had not committed, projections do again.
 *
 * Where SQLite fails it takes back the whole transaction, batches of before included. They are kept until they are
 * committed, and made again as soon as possible; until then nothing can be read, because it would be from the past.
 */
export class GroupedWrites {
  readonly #connection: ReadConnection;
  readonly #apply: ApplyBatch;
  /** In the open transaction, or to be made again. */
  #batches: WriteBatch[] = [];
  #changes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: ReadConnection, apply: ApplyBatch) {
    this.#connection = connection;
    this.#apply = apply;
  }

  /**
   * @throws UniqueViolationError, and nothing of the batch is written; after another error it may come back with those
   * before it
   */
  write(batch: WriteBatch): void {
    this.restore();
    try {
      this.#connection.begin();
      this.#apply(batch, false);
    } catch (error) {
      this.#takeBack(error);
      if (!isConstraint(error)) throw error;
      this.#writeVacated(batch);
      return;
    }
    this.#batches.push(batch);
    this.#changes += batch.changes.length;
    if (this.#changes >= MOST_CHANGES) this.commit();
    else this.#commitSoon();
  }

  /** Leaves no transaction open. */
  commit(): void {
    this.restore();
    this.#end();
  }

  /** Makes again what SQLite took back, if it did. */
  restore(): void {
    if (!this.#connection.behind) return;
    this.#connection.rollback();
    this.#connection.behind = null;
    try {
      this.#connection.begin();
      for (const batch of this.#batches) this.#apply(batch, true);
    } catch (error) {
      this.#takeBack(error);
      throw error;
    }
    this.#end();
  }

  /** In a transaction of its own: documents may pass a unique value on to one another. */
  #writeVacated(batch: WriteBatch): void {
    this.restore();
    try {
      this.#connection.begin();
      this.#apply(batch, true);
    } catch (error) {
      this.#takeBack(error);
      if (!isConstraint(error)) throw error;
      throw new UniqueViolationError((error as Error).message, { cause: error });
    }
    this.#batches.push(batch);
    this.#end();
  }

  #end(): void {
    try {
      this.#connection.commit();
    } catch (error) {
      this.#takeBack(error);
      throw error;
    }
    this.forget();
  }

  /** Nothing is made again, and nothing happens any more until the next write. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#batches = [];
    this.#changes = 0;
  }

  #takeBack(cause: unknown): void {
    this.#connection.rollback();
    this.#connection.behind = this.#batches.length > 0 ? { cause } : null;
    if (this.#connection.behind) this.#commitSoon();
  }

  #commitSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      try {
        this.commit();
      } catch {
        // It is tried again, and whoever reads meanwhile is told the cause.
      }
    }, OPEN_MS).unref();
  }
}
