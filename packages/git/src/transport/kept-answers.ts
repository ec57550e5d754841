/**
 * Long answers that are asked for again: the second time an answer is written to a file, and everybody who asks from
 * then on reads from there. See docs/adr/0034-a-clone-asked-for-again-is-kept.md.
 */
import { mkdir, rm, statfs } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { createGrowingFile, type GrowingFile } from './growing-file.ts';

export interface Question {
  /** Equal keys have answers that may stand for each other. */
  key: string;
  /** Of whose contents the answer is, for `forget`. */
  owner: string;
  /** How long the answer may be, about. */
  bytes(): Promise<number>;
  /** Begins to make it for all who ask. `signal` fires when none of them is left. */
  make(signal: AbortSignal): Promise<MadeAnswer>;
  /** Fires when this caller is gone. */
  signal?: AbortSignal | undefined;
}

export interface MadeAnswer {
  /** Fails where the answer breaks off. */
  output: Readable;
  /** Once it has ended: false where the answer says that something was wrong, which the next caller must ask anew. */
  isGood(): Promise<boolean>;
}

export interface KeptAnswers {
  /** undefined where the caller has to make it on their own: the first time, or where there is no place for it. */
  read(question: Question): Promise<Readable | undefined>;
  /** Drops what was kept of this owner. Who is reading it does so to its end. */
  forget(owner: string): void;
  close(): void;
}

export interface KeptAnswersOptions {
  /** Absolute; of this process alone. Made anew before the first use. */
  folder: string;
  /** Of all answers that are kept, and once more of those that are read or written only. One may have half of it. */
  maxBytes: number;
}

interface Answer {
  owner: string;
  /** What it may become; what it is, once it has ended. */
  bytes: number;
  file: GrowingFile;
  /** Resolves with false where there is no place for it; rejects where it cannot be made. */
  begun: Promise<boolean>;
  /** Whether somebody may still come to it. */
  isOpen: boolean;
  stop: AbortController;
}

const KEPT_MS = 3_600_000;
/** An open file each. */
const MOST_KEPT = 256;
const MOST_ASKED = 10_000;
/** What stays free on the disk, for what must not fail. */
const FREE_BYTES = 1024 * 1024 * 1024;

export function createKeptAnswers({ folder, maxBytes }: KeptAnswersOptions): KeptAnswers {
  const asked = new LRUCache<string, true>({ max: MOST_ASKED, ttl: KEPT_MS });
  const growing = new Map<string, Answer>();
  const kept = new LRUCache<string, Answer>({
    max: MOST_KEPT,
    maxSize: Math.max(1, maxBytes),
    ttl: KEPT_MS,
    ttlAutopurge: true,
    dispose: shut,
  });
  /** Takes place on the disk and is not kept: it grows, or is still being read. */
  const passing = new Set<Answer>();
  let isClosed = false;
  let prepared: Promise<unknown> | undefined;

  /** An earlier process leaves an empty file at most: one whose name it did not get to remove. */
  async function prepare(): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  async function hasRoomFor({ bytes }: Answer): Promise<boolean> {
    const all = [...passing].reduce((sum, answer) => sum + answer.bytes, 0);
    if (bytes >= maxBytes / 2 || all > maxBytes) return false;
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize > all + FREE_BYTES;
  }

  /** Nobody else comes to it. */
  function shut(answer: Answer) {
    answer.isOpen = false;
    passing.add(answer);
    settle(answer);
  }

  /** Lets go of what nobody reads and nobody will. */
  function settle(answer: Answer) {
    if (answer.file.readers() > 0) return;
    if (!answer.file.hasEnded()) {
      answer.isOpen = false;
      answer.stop.abort();
    } else if (!answer.isOpen) {
      passing.delete(answer);
      answer.file.close();
    }
  }

  function end(key: string, answer: Answer, isGood: boolean, error?: Error) {
    answer.file.end(error);
    answer.bytes = answer.file.size();
    if (growing.get(key) === answer) growing.delete(key);
    if (!isGood || !answer.isOpen || answer.bytes >= maxBytes / 2) return shut(answer);
    passing.delete(answer);
    kept.set(key, answer, { size: Math.max(1, answer.bytes) });
  }

  async function fill(key: string, answer: Answer, { output, isGood }: MadeAnswer): Promise<void> {
    try {
      for await (const chunk of output as AsyncIterable<Buffer>) await answer.file.append(chunk);
      end(key, answer, await isGood());
    } catch (error) {
      end(key, answer, false, error as Error);
    }
  }

  async function hasPlace(answer: Answer, bytes: Question['bytes']): Promise<boolean> {
    try {
      prepared ??= prepare();
      await prepared;
      answer.bytes = await bytes();
      if (!(await hasRoomFor(answer))) return false;
      await answer.file.openIn(folder);
      return true;
    } catch {
      // A full or broken disk, no more files: whoever asks can do without.
      prepared = undefined;
      return false;
    }
  }

  async function begin({ key, bytes, make }: Question, answer: Answer): Promise<boolean> {
    try {
      if (await hasPlace(answer, bytes)) {
        void fill(key, answer, await make(answer.stop.signal));
        return true;
      }
      end(key, answer, false);
      return false;
    } catch (error) {
      end(key, answer, false, error as Error);
      throw error;
    }
  }

  function start(question: Question): Answer {
    const answer: Answer = {
      owner: question.owner,
      bytes: 0,
      file: createGrowingFile(() => settle(answer)),
      begun: Promise.resolve(false),
      isOpen: true,
      stop: new AbortController(),
    };
    passing.add(answer);
    growing.set(question.key, answer);
    answer.begun = begin(question, answer);
    return answer;
  }

  function find(question: Question): Answer | undefined {
    const found = kept.get(question.key) ?? growing.get(question.key);
    if (found?.isOpen) return found;
    if (!isClosed && asked.has(question.key)) return start(question);
    asked.set(question.key, true);
    return undefined;
  }

  return {
    async read(question) {
      const answer = find(question);
      if (!answer) return undefined;
      const stream = answer.file.read();
      // Until the caller has it nobody listens, and its failure is nobody's.
      stream.on('error', () => {});
      if (question.signal) addAbortSignal(question.signal, stream);
      const isBegun = await answer.begun.catch((error: unknown) => {
        stream.destroy();
        throw error;
      });
      if (isBegun) return stream;
      stream.destroy();
      return undefined;
    },
    forget(owner) {
      for (const answer of growing.values()) if (answer.owner === owner) shut(answer);
      for (const [key, answer] of [...kept.entries()]) if (answer.owner === owner) kept.delete(key);
    },
    close() {
      isClosed = true;
      for (const answer of growing.values()) shut(answer);
      kept.clear();
    },
  };
}
