import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BEGINNING, type Position } from '../../event.ts';

/**
 * Where policies and feeds stand. Read models can be thrown away and built anew, and these cannot: from the beginning,
 * each mail would be sent again. `NORMAL` cannot damage the file; what a loss of power takes back is the last moments,
 * and their reactions run twice.
 */
export class PolicyCheckpoints {
  readonly #db: DatabaseSync;
  readonly #get: StatementSync;
  readonly #set: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 5000 });
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT`);
    this.#get = this.#db.prepare('SELECT position FROM checkpoints WHERE name = ?');
    this.#set = this.#db.prepare('INSERT OR REPLACE INTO checkpoints (name, position) VALUES (?, ?)');
  }

  get(name: string): Position {
    return (this.#get.get(name)?.position as string | undefined) ?? BEGINNING;
  }

  set(name: string, position: Position): void {
    this.#set.run(name, position);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}
