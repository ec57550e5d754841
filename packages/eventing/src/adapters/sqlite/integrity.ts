import { DatabaseSync } from 'node:sqlite';
import { isBusy, isDamage } from './sqlite-errors.ts';

const ENOUGH = 20;

/**
 * What SQLite finds wrong with a file, its unique indexes included; [] for a sound one. Reads all of it. A file that a
 * running server has for itself is not looked into: whoever opens its folder is told.
 */
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
