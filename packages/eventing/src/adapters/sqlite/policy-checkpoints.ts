import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BEGINNING, type Position } from '../../event.ts';

/** No rebuild restores these. With `NORMAL`, a power loss reverts the last moments, whose reactions run twice. */
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

  all(): [name: string, position: Position][] {
    const rows = this.#db.prepare('SELECT name, position FROM checkpoints').all();
    return rows.map(({ name, position }) => [String(name), String(position)]);
  }

  set(name: string, position: Position): void {
    this.#set.run(name, position);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}
