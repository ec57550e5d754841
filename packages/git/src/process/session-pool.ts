/** Keeps long-lived git processes that serve one request at a time, bounded in number and idle time. */

import { createLineReader, type LineReader } from './line-reader.ts';
import type { RunningCommand } from './supervisor-client.ts';

export interface Session {
  command: RunningCommand;
  output: LineReader;
}

export interface SessionPool {
  /**
   * Runs `use` with a pooled or new session of this name. The session is reused only if `use` returns and says so,
   * since its remaining output is otherwise unknown.
   */
  with<T>(
    name: string,
    open: () => Promise<RunningCommand>,
    use: (session: Session) => Promise<{ result: T; keep: boolean }>,
  ): Promise<T>;
  /** Ends idle sessions by prefix of their name. */
  forget(prefix: string): void;
  close(): void;
}

export interface SessionPoolOptions {
  idle: number;
  idleMs: number;
}

export function createSessionPool(options: SessionPoolOptions): SessionPool {
  type Idle = { name: string; session: Session; since: number };
  let idle: Idle[] = []; // longest idle first

  const end = (session: Session) => {
    session.command.kill();
    session.command.stdout.destroy();
  };
  const keepIf = (keep: (one: Idle) => boolean) => {
    for (const one of idle) if (!keep(one)) end(one.session);
    idle = idle.filter(keep);
  };
  const sweeper = setInterval(() => {
    const before = Date.now() - options.idleMs;
    keepIf((one) => one.since >= before && !one.session.output.ended());
  }, options.idleMs).unref();

  const take = (name: string): Session | undefined => {
    for (let index = idle.findLastIndex((one) => one.name === name); index >= 0; ) {
      const [{ session }] = idle.splice(index, 1) as [Idle];
      if (!session.output.ended()) return session;
      end(session);
      index = idle.findLastIndex((one) => one.name === name);
    }
    return undefined;
  };

  return {
    async with(name, open, use) {
      const session = take(name) ?? (await openSession(open));
      try {
        const { result, keep } = await use(session);
        if (keep && !session.output.ended()) {
          idle.push({ name, session, since: Date.now() });
          if (idle.length > options.idle) end(idle.shift()!.session);
        } else end(session);
        return result;
      } catch (error) {
        end(session);
        throw error;
      }
    },
    forget(prefix) {
      keepIf((one) => !one.name.startsWith(prefix));
    },
    close() {
      clearInterval(sweeper);
      keepIf(() => false);
    },
  };
}

async function openSession(open: () => Promise<RunningCommand>): Promise<Session> {
  const command = await open();
  command.exit.catch(() => {});
  return { command, output: createLineReader(command.stdout) };
}
