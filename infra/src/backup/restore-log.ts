import { join } from 'node:path';
import { createLogFile } from '@forgelog/eventing/adapters/sqlite/log-file.ts';
import { CorruptLogError } from '@forgelog/eventing/event-store.ts';
import { BackupError } from './backup-error.ts';
import type { BackupIndex } from './backup-index.ts';
import type { ContentStore } from './content-store.ts';
import { rowsOf } from './log-segments.ts';
import { epochsOf, isBeyond, type RestorePoint } from './restore-point.ts';

export interface RestoredLog {
  position: number;
  time: string;
}

/**
 * Writes the log of a backup up to a point. An append is not divided: it is left out where the point lies within it.
 * @throws BackupError where the log is damaged, or has nothing up to that point
 */
export async function restoreLog(
  dataDir: string,
  ports: { index: BackupIndex; store: ContentStore; progress: (text: string) => void },
  point: RestorePoint | undefined,
): Promise<RestoredLog> {
  const file = createLogFile(join(dataDir, 'events.db'));
  const epochs = epochsOf(point);
  let saved = 0;
  let firstId = '';
  try {
    reading: for (const segment of ports.index.segments()) {
      if (segment.first !== saved + 1) throw new BackupError(`its list lacks the events after ${saved}`);
      for await (const rows of rowsOf(segment, ports.store)) {
        const end = rows.findIndex((row) => isBeyond(point, row));
        const wanted = end < 0 ? rows : rows.slice(0, end);
        firstId ||= wanted[0]?.[3] ?? '';
        file.add(wanted);
        for (const row of wanted) epochs.see(row);
        saved += wanted.length;
        ports.progress(`${saved} events`);
        if (end < 0) continue;
        file.endBefore(rows[end]!);
        break reading;
      }
    }
  } catch (cause) {
    if (!(cause instanceof BackupError) && !(cause instanceof CorruptLogError)) throw cause;
    throw new BackupError(
      `The log of the backup is damaged: ${cause.message}. The ${saved} events before are whole: --until ${saved} restores them.`,
      { cause },
    );
  }
  const last = file.last();
  file.close();
  if (!last) throw new BackupError('--until: the log begins later.');
  epochs.check(firstId);
  return { position: last[0], time: last[6] };
}
