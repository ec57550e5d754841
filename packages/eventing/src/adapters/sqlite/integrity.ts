import { DatabaseSync } from 'node:sqlite';
import { isBusy, isDamage } from './sqlite-errors.ts';

const ENOUGH = 20;

/** Problems found by SQLite's full check; [] for a sound file, or one locked by a running server. */
export function integrityProblems(path: string): string[] {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 1000 });
    const found = db.prepare(`PRAGMA integrity_check(${ENOUGH})`).all();
    return found.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
  } catch (error) {
    if (isBusy(error)) return [];
    if (!isDamage(error)) throw error;
    return [(error as Error).message];
  } finally {
    db?.close();
  }
}
