import { randomUUID } from 'node:crypto';
import { BSON, type Collection } from 'mongodb';
import type { StoredChange } from './collection-writer.ts';

export interface JournalEntry {
  collections: { name: string; markers: readonly string[]; changes: StoredChange[] }[];
  checkpoints: { name: string; position: string }[];
}

export interface JournalPart {
  _id: string;
  entry: string;
  at: Date;
  part: number;
  /** An entry without its last part never began. */
  last: boolean;
  collections: JournalEntry['collections'];
  checkpoints: JournalEntry['checkpoints'];
}

/** Bytes per part; a document holds at most 16 MB. */
const PART_BYTES = 4_000_000;
/** Milliseconds. A younger incomplete entry may still be arriving from another process. */
const ABANDONED_MS = 60_000;

/**
 * Makes a write to several documents atomic without transactions: it is recorded, applied, and then deleted from here.
 * Applying it again is safe, because every change is guarded by its position.
 */
export class WriteJournal {
  readonly #parts: Collection<JournalPart>;

  constructor(parts: Collection<JournalPart>) {
    this.#parts = parts;
  }

  /** Once this resolves the write is guaranteed to be applied, even after a crash. Returns the entry's id for `end`. */
  async begin(written: JournalEntry): Promise<string> {
    const entry = randomUUID();
    const at = new Date();
    const parts = split(written).map(
      (collections, part, all): JournalPart => ({
        _id: `${entry}:${part}`,
        entry,
        at,
        part,
        last: part === all.length - 1,
        collections,
        checkpoints: part === all.length - 1 ? written.checkpoints : [],
      }),
    );
    await this.#parts.insertMany(parts, { ordered: true });
    return entry;
  }

  async end(entry: string): Promise<void> {
    await this.#parts.deleteMany({ entry });
  }

  /** Entries to apply again, oldest first. Deletes incomplete entries once they are old enough. */
  async pending(): Promise<{ entry: string; parts: JournalPart[] }[]> {
    const entries = new Map<string, JournalPart[]>();
    for await (const part of this.#parts.find().sort({ at: 1, entry: 1, part: 1 }))
      entries.set(part.entry, [...(entries.get(part.entry) ?? []), part]);
    const whole = [];
    const abandoned = Date.now() - ABANDONED_MS;
    for (const [entry, parts] of entries) {
      const last = parts.at(-1) as JournalPart;
      if (last.last && last.part === parts.length - 1) whole.push({ entry, parts });
      else if (last.at.getTime() < abandoned) await this.end(entry);
    }
    return whole;
  }
}

function split({ collections }: JournalEntry): JournalEntry['collections'][] {
  const parts: JournalEntry['collections'][] = [[]];
  let size = 0;
  for (const { name, markers, changes } of collections)
    for (const change of changes) {
      const bytes = BSON.calculateObjectSize(change);
      if (size > 0 && size + bytes > PART_BYTES) {
        parts.push([]);
        size = 0;
      }
      size += bytes;
      const part = parts.at(-1) as JournalEntry['collections'];
      const held = part.at(-1);
      if (held?.name === name) held.changes.push(change);
      else part.push({ name, markers, changes: [change] });
    }
  return parts;
}
