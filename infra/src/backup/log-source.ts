import { join } from 'node:path';
import type { Row } from '@forgelog/eventing/adapters/sqlite/log-format.ts';
import { LogReader } from '@forgelog/eventing/adapters/sqlite/log-reader.ts';
import { EPOCHS } from '@forgelog/eventing/log-identity.ts';
import { BackupError } from './backup-error.ts';
import type { BackupIndex } from './backup-index.ts';
import type { ContentStore } from './content-store.ts';
import { isThere } from './data-folder-files.ts';
import { saveLog } from './log-segments.ts';
import type { Manifest } from './manifest.ts';

export interface Concerned {
  changed: Set<number>;
  /** Projects that ended, or never began. */
  ended: Set<number>;
}

export interface LogSource {
  firstId: string;
  head(): number;
  /** The share of the log that is not saved yet, from 0 to 1. */
  unsaved(): number;
  /** Saves the log up to a position, and tells what the events beyond `since` concern. */
  save(upTo: number, since: number): Promise<Concerned>;
  close(): void;
}

const ENDS = ['ProjectDeleted', 'ProjectCreationAbandoned'];

/** Opens the log of a data folder, beside the server that writes it. @throws BackupError */
export async function openLogSource(
  dataDir: string,
  { index, store, previous }: { index: BackupIndex; store: ContentStore; previous: Manifest | undefined },
): Promise<LogSource> {
  const path = join(dataDir, 'events.db');
  if (!(await isThere(path)))
    throw new BackupError(`${dataDir} holds no log (events.db). Set DATA_DIR to the server's data folder.`);
  const reader = new LogReader(path);
  try {
    const [first] = reader.readRows(0, 1);
    if (!first) throw new BackupError(`The log in ${dataDir} is empty: there is nothing to back up.`);
    const firstId = first[3];
    if (previous && previous.log?.firstId !== firstId)
      throw new BackupError(
        `The folder holds the backup of another server than that of ${dataDir}. Each needs a folder of its own.`,
      );
    cutToShared(reader, index, dataDir);
    return {
      firstId,
      head: () => reader.head(),
      unsaved: () => 1 - (index.segments().at(-1)?.last ?? 0) / reader.head(),
      async save(upTo, since) {
        const concerned: Concerned = { changed: new Set(), ended: new Set() };
        await saveLog({ reader, index, store }, upTo, (row) => {
          if (row[0] > since) take(row, concerned);
        });
        return concerned;
      },
      close: () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

function take(row: Row, { changed, ended }: Concerned): void {
  const { projectId } = JSON.parse(row[7]) as { projectId?: unknown };
  if (typeof projectId !== 'number') return;
  changed.add(projectId);
  if (ENDS.includes(row[4])) ended.add(projectId);
}

/** After a restore the log lacks events that the backup has: they go, if somebody has accepted that by an epoch. */
function cutToShared(reader: LogReader, index: BackupIndex, dataDir: string): void {
  const segments = index.segments();
  const isHeld = ({ last, lastId }: { last: number; lastId: string }) =>
    last <= reader.head() && reader.readRows(last - 1, 1)[0]?.[3] === lastId;
  const shared = segments.findLastIndex(isHeld);
  const lost = segments[shared + 1];
  if (!lost) return;
  const common = segments[shared]?.last ?? 0;
  const epochs = reader.readStream(EPOCHS, 0, Number.MAX_SAFE_INTEGER);
  if (!epochs.some(({ position }) => Number(position) > common))
    throw new BackupError(
      `The backup has events that the log in ${dataDir} has lost, up to position ${segments.at(-1)!.last}. Restore ` +
        'the backup. If the log is the one that shall hold, say so with `npm run epoch`, and take the backup again.',
    );
  index.cutSegments(lost.first);
}
