import { closeSync, openSync, read, statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Position } from '../../event.ts';
import { type GivenCopy, ReadStoreUnavailableError } from '../../read-store.ts';
import type { ReadConnection } from './read-connection.ts';

/** Pages of the write-ahead log after which SQLite copies it into the file: 32 MB. */
export const CHECKPOINT_PAGES = 4000;

const MOST_COPIES = 4;
/** The write-ahead log grows as long as the file stands still. */
const LONGEST_LOG = 512 * 1024 * 1024;
const CHUNK = 256 * 1024;

const readAt = promisify(read);

/** The file stands still while it is copied, so a copy is of one position: new pages stay in the write-ahead log. */
export class StillFile {
  readonly #path: string;
  readonly #connection: ReadConnection;
  /** Closed after the connection, since that would drop SQLite's locks. */
  #file: number | undefined;
  #isSpoilt = false;
  #isClosed = false;
  #reading = 0;
  #copies = 0;
  #bytes = 0;
  #checkpoints: ReadonlyMap<string, Position> = new Map();

  constructor(path: string, connection: ReadConnection) {
    this.#path = path;
    this.#connection = connection;
  }

  give(): GivenCopy {
    if (this.#copies >= MOST_COPIES)
      throw new ReadStoreUnavailableError('as many copies of the read models as may be are under way');
    if (this.#copies === 0) this.#stop();
    this.#copies += 1;
    let isOver = false;
    return {
      bytes: this.#bytes,
      checkpoints: this.#checkpoints,
      read: () => this.#read(this.#bytes),
      end: () => {
        if (isOver) return;
        isOver = true;
        this.#copies -= 1;
        if (this.#copies === 0 && !this.#isSpoilt)
          this.#connection.db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      },
    };
  }

  /** To be called before the file changes: no copy under way becomes whole. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  close(): void {
    this.#isSpoilt = true;
    this.#isClosed = true;
    this.#release();
  }

  #stop(): void {
    const [moved] = this.#connection.all('PRAGMA wal_checkpoint(TRUNCATE)');
    if (moved?.[0] !== 0) throw new ReadStoreUnavailableError('the read models are in use');
    const numberOf = (what: string) => Number(this.#connection.get(`PRAGMA ${what}`)?.[0]);
    this.#bytes = numberOf('page_count') * numberOf('page_size');
    const rows = this.#connection.all('SELECT name, position FROM "$checkpoints"');
    this.#checkpoints = new Map(rows as [string, string][]);
    this.#file ??= openSync(this.#path, 'r');
    this.#connection.db.exec('PRAGMA wal_autocheckpoint = 0');
  }

  async *#read(bytes: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes; ) {
      this.#expectWhole();
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK, bytes - at));
      this.#reading += 1;
      const { bytesRead } = await readAt(this.#file!, buffer, 0, buffer.length, at).finally(() => {
        this.#reading -= 1;
        this.#release();
      });
      if (bytesRead === 0) throw new ReadStoreUnavailableError('the file of the read models is too short');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    this.#expectWhole();
  }

  #expectWhole(): void {
    if (this.#isSpoilt) throw new ReadStoreUnavailableError('the read models were closed');
    const log = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (log > LONGEST_LOG)
      throw new ReadStoreUnavailableError('more was written than a copy of the read models may hold up');
  }

  #release(): void {
    if (!this.#isClosed || this.#reading > 0 || this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
  }
}
