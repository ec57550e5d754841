import { randomUUID } from 'node:crypto';
import { BSON, type Collection } from 'mongodb';
import type { StoredChange } from './collection-writer.ts';

/** What one write means to do, in terms that need no declarations: collections by name, with their unique markers. */
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

/** A document has 16 MB at most. */
const PART_BYTES = 4_000_000;
/** What is younger may still be on its way from another process, part by part. */
const ABANDONED_MS = 60_000;

/**
 * Makes a write of several documents one unit on any server, with or without transactions: it is written down whole,
 * carried out, and crossed off. Who finds an entry that is not crossed off carries it out (again), which is safe,
 * because every change is guarded by its position.
 */
export class WriteJournal {
  readonly #parts: Collection<JournalPart>;

  constructor(parts: Collection<JournalPart>) {
    this.#parts = parts;
  }

  /** From when this resolves on the write will happen, whoever dies. Answers what to cross off. */
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

  /** What was begun and not ended, oldest first. What never wholly began is left out, and crossed off in the end. */
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

/** Changes in order, in parts of a size that a document may have. */
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
