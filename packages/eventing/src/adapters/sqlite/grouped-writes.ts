import { ownTurn } from '../../own-turn.ts';
import { ReadStoreUnavailableError, UniqueViolationError, type WriteBatch } from '../../read-store.ts';
import type { ReadConnection } from './read-connection.ts';
import { isConstraint } from './sqlite-errors.ts';

/** A transaction with so many changes is committed; that takes about a millisecond. */
const MOST_CHANGES = 1024;
/** Milliseconds a transaction stays open for more batches, and the pause before a retry. */
const OPEN_MS = 100;

const TURN = 500;
const LOST = 'a large write was rolled back while others read';

function* partsOf({ changes, checkpoints }: WriteBatch): Generator<WriteBatch> {
  for (let at = 0; at < changes.length; at += TURN)
    yield { changes: changes.slice(at, at + TURN), checkpoints: new Map() };
  yield { changes: [], checkpoints };
}

/** @param vacate delete all documents before any is written, for those that pass a unique value on */
export type ApplyBatch = (batch: WriteBatch, vacate: boolean) => void;

/**
 * Groups batches into transactions: batches change the same last pages of the indexes, which then reach the disk once.
 * Readers share the connection, so they see a batch at once. After a kill, projections redo the rest.
 *
 * Some errors roll back the whole transaction, earlier batches included. These are kept and applied again as soon as
 * possible. Until then reads are refused, because they would return old data.
 */
export class GroupedWrites {
  readonly #connection: ReadConnection;
  readonly #apply: ApplyBatch;
  #batches: WriteBatch[] = [];
  #changes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: ReadConnection, apply: ApplyBatch) {
    this.#connection = connection;
    this.#apply = apply;
  }

  /** @throws UniqueViolationError, and the batch is not written. After other errors it may be applied again later. */
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

  /** In one transaction, with turns for readers in between, who may see a part. Nothing else may be written meanwhile. */
  async writeInTurns(batch: WriteBatch): Promise<void> {
    this.restore();
    // Committed halfway, a part of it would survive a kill.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#connection.begin();
      for (const part of partsOf(batch)) {
        this.#apply(part, false);
        await ownTurn();
        if (!this.#connection.isWriting)
          throw new ReadStoreUnavailableError(LOST, this.#connection.behind ?? {});
      }
    } catch (error) {
      this.#takeBack(error);
      if (!isConstraint(error)) throw error;
      this.#writeVacated(batch);
      return;
    }
    this.#batches.push(batch);
    this.commit();
  }

  commit(): void {
    this.restore();
    this.#end();
  }

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

  /** Applies the batch alone: its documents may pass a unique value on to one another. */
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
        // The commit is retried; readers get the cause meanwhile.
      }
    }, OPEN_MS).unref();
  }
}
