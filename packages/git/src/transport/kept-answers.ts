/**
 * Caches long answers: the second request writes the answer to a file, and later ones read it from there. See
 * docs/adr/0034-a-clone-asked-for-again-is-kept.md.
 */
import { mkdir, rm, statfs } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { createGrowingFile, type GrowingFile } from './growing-file.ts';

export interface Question {
  /** Requests with equal keys have the same answer. */
  key: string;
  /** The repository that the answer comes from, for `forget`. */
  owner: string;
  /** Estimated size in bytes. */
  bytes(): Promise<number>;
  /** Starts the answer for all readers. `signal` fires when the last one has left. */
  make(signal: AbortSignal): Promise<MadeAnswer>;
  /** Fires when this reader disconnects. */
  signal?: AbortSignal | undefined;
}

export interface MadeAnswer {
  /** Fails if the answer breaks off. */
  output: Readable;
  /** Resolves at the end: false if the answer reports an error, which is not cached. */
  isGood(): Promise<boolean>;
}

export interface KeptAnswers {
  /** Returns undefined if the caller must make the answer: at the first request, or without space. */
  read(question: Question): Promise<Readable | undefined>;
  /** Drops the answers of this owner. Open readers still get the rest. */
  forget(owner: string): void;
  close(): void;
}

export interface KeptAnswersOptions {
  /** Absolute path, used by this process alone. Recreated before the first use. */
  folder: string;
  /** Most bytes of all cached answers, and again of those in use but not cached. One answer may take half. */
  maxBytes: number;
}

interface Answer {
  owner: string;
  /** Estimated bytes; the actual ones after the end. */
  bytes: number;
  file: GrowingFile;
  /** Resolves with false without space; rejects if it cannot be made. */
  begun: Promise<boolean>;
  /** Whether new readers may join. */
  isOpen: boolean;
  stop: AbortController;
}

const KEPT_MS = 3_600_000;
/** Each holds an open file. */
const MOST_KEPT = 256;
const MOST_ASKED = 10_000;
/** Bytes of the disk that stay free for writes that must not fail. */
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
  /** Takes space without being cached: it still grows, or is still read. */
  const passing = new Set<Answer>();
  let isClosed = false;
  let prepared: Promise<unknown> | undefined;

  /** A killed process leaves at most an empty file that it had not unlinked yet. */
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

  /** No new reader joins. */
  function shut(answer: Answer) {
    answer.isOpen = false;
    passing.add(answer);
    settle(answer);
  }

  /** Frees an answer without present and future readers. */
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
      // Without disk space or file handles, callers make their answers themselves.
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
      // Nothing listens until the caller has it, so a failure must not be unhandled.
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
