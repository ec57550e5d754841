/**
 * Receives request bodies without letting them fill the memory. A small body stays in memory. A large one arrives on
 * disk and is read when its turn has come. See docs/adr/0063-large-bodies-wait-on-disk.md.
 */
import { statfs } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { tooLarge } from '../content-encoding.ts';
import { unavailable } from '../unavailable.ts';
import { Shares } from './shares.ts';
import { NoTurnError, Turns } from './turns.ts';
import { UnnamedFile } from './unnamed-file.ts';

export interface RequestBodies {
  /**
   * Resolves with the whole body.
   * @throws Rejection 413 above `limit` bytes, 503 with Retry-After where the caller or all callers send too much at once
   */
  receive(stream: Readable, options: ReceiveOptions): Promise<ReceivedBody>;
  /** Bytes of bodies that are received or handled now. */
  held(): { memory: number; disk: number };
}

export interface ReceiveOptions {
  limit: number;
  /** Names who sends it; bodies of one caller share a part of the budget. */
  caller: string;
  /** Aborts when the caller disconnects. */
  signal: () => AbortSignal;
}

export interface ReceivedBody {
  bytes: Buffer;
  /** Call when neither the bytes nor what was made of them is needed any more. */
  release(): void;
}

const MiB = 1024 * 1024;

export interface BodyBudget {
  /** Bytes up to which a body stays in memory, and those of all such bodies. */
  small: number;
  smallOfAll: number;
  smallOfOne: number;
  /** Bytes of large bodies in memory at once; a single larger one may exceed it. Handling takes four times as much. */
  largeOfAll: number;
  diskOfAll: number;
  diskOfOne: number;
  /** Bytes of the disk that stay free for writes that must not fail. */
  diskFree: number;
  /** Milliseconds that a body waits for its turn; shorter than the deadline of an answer. */
  waitMs: number;
}

const BUDGET: BodyBudget = {
  small: MiB,
  smallOfAll: 64 * MiB,
  smallOfOne: 16 * MiB,
  largeOfAll: 128 * MiB,
  diskOfAll: 2048 * MiB,
  diskOfOne: 640 * MiB,
  diskFree: 256 * MiB,
  waitMs: 60_000,
};

/** What a body on disk counts at least, because each holds an open file. */
const LEAST_ON_DISK = 4 * MiB;
const RETRY_S = 5;

/** @param options.folder for bodies that wait; used by this process alone */
export function createRequestBodies(options: {
  folder: string;
  budget?: Partial<BodyBudget>;
}): RequestBodies {
  const { folder } = options;
  const budget = { ...BUDGET, ...options.budget };
  const memory = new Shares({ ofAll: budget.smallOfAll, ofOne: budget.smallOfOne });
  const disk = new Shares({ ofAll: budget.diskOfAll, ofOne: budget.diskOfOne });
  const turns = new Turns({ mostBytes: budget.largeOfAll, waitMs: budget.waitMs });

  async function requireRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < budget.diskFree)
      throw unavailable('the disk has no room for a large request body now', RETRY_S);
  }

  function createHolder(caller: string) {
    const chunks: Buffer[] = [];
    let inMemory = 0;
    let onDisk = 0;
    let file: UnnamedFile | undefined;

    const leaveMemory = () => {
      memory.give(caller, inMemory);
      inMemory = 0;
    };

    async function write(chunk: Buffer): Promise<void> {
      const more = Math.max(LEAST_ON_DISK, file!.size + chunk.length) - onDisk;
      if (!disk.take(caller, more))
        throw unavailable('too many large request bodies are on their way, wait for one to end', RETRY_S);
      onDisk += more;
      await file!.append(chunk);
    }

    return {
      async add(chunk: Buffer): Promise<void> {
        if (!file) {
          const fits = inMemory + chunk.length <= budget.small && memory.take(caller, chunk.length);
          if (fits) {
            inMemory += chunk.length;
            chunks.push(chunk);
            return;
          }
          file = await UnnamedFile.openIn(folder);
          await requireRoom();
          for (const early of chunks.splice(0)) await write(early);
          leaveMemory();
        }
        await write(chunk);
      },
      async whole(signal: () => AbortSignal): Promise<ReceivedBody> {
        if (!file) {
          const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
          const release = leaveMemory;
          return { bytes, release };
        }
        const release = await turns.wait(caller, file.size, signal());
        try {
          return { bytes: await file.readAll(), release };
        } catch (error) {
          release();
          throw error;
        } finally {
          await this.drop();
        }
      },
      async drop(): Promise<void> {
        if (!file) return leaveMemory();
        const closing = file;
        file = undefined;
        disk.give(caller, onDisk);
        onDisk = 0;
        leaveMemory();
        await closing.close();
      },
    };
  }

  /** Undefined unless it is small, and here as a whole. An iterator costs as much as all else of receiving it. */
  async function arrived(stream: Readable, limit: number, caller: string): Promise<ReceivedBody | undefined> {
    if (!(stream instanceof IncomingMessage)) return undefined;
    // The parser has told of the head alone by now: what came with it follows, and that it is all a turn later.
    if (!stream.complete) await null;
    if (!stream.complete && stream.readableLength === Number(stream.headers['content-length']))
      await new Promise(setImmediate);
    const size = stream.readableLength;
    if (!stream.complete || size > budget.small || !memory.take(caller, size)) return undefined;
    const bytes: Buffer = stream.read() ?? Buffer.alloc(0);
    const release = () => memory.give(caller, size);
    if (size <= limit) return { bytes, release };
    release();
    throw tooLarge(limit);
  }

  return {
    async receive(stream, { limit, caller, signal }) {
      const whole = await arrived(stream, limit, caller);
      if (whole) return whole;
      const holder = createHolder(caller);
      let size = 0;
      try {
        // The connection must stay open after a read that stops early, or the refusal cannot be sent.
        for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          size += chunk.length;
          if (size > limit) throw tooLarge(limit);
          await holder.add(chunk);
        }
        return await holder.whole(signal);
      } catch (error) {
        await holder.drop();
        if (error instanceof NoTurnError)
          throw unavailable('too many large request bodies are handled now', RETRY_S);
        throw error;
      }
    },
    held: () => ({ memory: memory.total + turns.bytes, disk: disk.total }),
  };
}
