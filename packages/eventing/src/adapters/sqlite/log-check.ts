import type { DatabaseSync } from 'node:sqlite';
import { CorruptLogError } from '../../event-store.ts';

/** Checks pages, positions and revisions after an unclean stop; reads verify rows. @throws CorruptLogError */
export function checkLog(db: DatabaseSync): void {
  const findings = db
    .prepare('PRAGMA quick_check(3)')
    .all()
    .map((row) => String(Object.values(row)[0]));
  if (findings[0] !== 'ok') throw new CorruptLogError(`the event log is damaged: ${findings.join('; ')}`);

  const positions = db.prepare('SELECT count(*) AS n, max(position) AS last FROM events').get();
  if (positions?.n !== (positions?.last ?? 0))
    throw new CorruptLogError(`the event log holds ${positions?.n} events up to position ${positions?.last}`);

  const broken = db
    .prepare('SELECT stream FROM events GROUP BY stream HAVING count(*) <> max(revision) + 1 LIMIT 1')
    .get();
  if (broken) throw new CorruptLogError(`the event log misses revisions of stream ${broken.stream}`);
}
