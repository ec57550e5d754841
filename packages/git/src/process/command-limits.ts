/** Limits concurrent git commands: a total, a cap per repository, and bounded queues before both. */
import { GitBusyError, GitCancelledError } from '../errors.ts';

export interface CommandLimits {
  running: number;
  perRepository: number;
  /** Queued commands, in total and per repository. One more is a GitBusyError. */
  waiting: number;
  waitingPerRepository: number;
  /** Milliseconds a command may queue before a GitBusyError. Default unlimited. */
  waitMs?: number;
}

export interface Limiter {
  /** Waits for a slot. Resolves with the function that releases it. */
  enter(repository: string, signal?: AbortSignal): Promise<() => void>;
  load(): { running: number; waiting: number };
}

interface Waiter {
  repository: string;
  admit: () => void;
}

export function createLimiter(limits: CommandLimits): Limiter {
  const inside = new Map<string, number>();
  const queue: Waiter[] = [];
  let running = 0;

  const fits = (repository: string) =>
    running < limits.running && (inside.get(repository) ?? 0) < limits.perRepository;

  const take = (repository: string) => {
    running += 1;
    inside.set(repository, (inside.get(repository) ?? 0) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      running -= 1;
      const left = inside.get(repository)! - 1;
      if (left === 0) inside.delete(repository);
      else inside.set(repository, left);
      const next = queue.findIndex((waiter) => fits(waiter.repository));
      if (next >= 0) queue.splice(next, 1)[0]!.admit();
    };
  };

  return {
    load: () => ({ running, waiting: queue.length }),
    async enter(repository, signal) {
      if (signal?.aborted) throw new GitCancelledError();
      if (fits(repository)) return take(repository);
      const before = queue.reduce((count, waiter) => count + Number(waiter.repository === repository), 0);
      if (queue.length >= limits.waiting || before >= limits.waitingPerRepository) throw new GitBusyError();
      return new Promise((resolve, reject) => {
        const giveUp = (error: Error) => {
          queue.splice(queue.indexOf(waiter), 1);
          forget();
          reject(error);
        };
        const leave = () => giveUp(new GitCancelledError());
        const { waitMs } = limits;
        const timer = waitMs && setTimeout(() => giveUp(new GitBusyError()), waitMs);
        const forget = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
        };
        const waiter: Waiter = {
          repository,
          admit: () => {
            forget();
            resolve(take(repository));
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        queue.push(waiter);
      });
    },
  };
}
