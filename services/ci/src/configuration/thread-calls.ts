import type { MessagePort } from 'node:worker_threads';

/* Calls from a thread to the process that started it, over a channel of one task. */

type Handlers<Api> = { [Name in keyof Api]: (...args: never[]) => Promise<unknown> };

interface Call {
  id: number;
  name: string;
  args: unknown[];
}

type Reply = { id: number } & ({ result: unknown } | { failed: true });

export interface Answering {
  readonly open: number;
  /** The first failure of a handler. The thread only learns that there was one. */
  readonly failure: { error: unknown } | undefined;
}

/** Answers the calls that arrive at a port. */
export function answerCalls<Api extends Handlers<Api>>(port: MessagePort, api: Api): Answering {
  const state: { open: number; failure: Answering['failure'] } = { open: 0, failure: undefined };
  port.on('message', async ({ id, name, args }: Call) => {
    state.open += 1;
    let reply: Reply;
    try {
      reply = { id, result: await api[name as keyof Api](...(args as never[])) };
    } catch (error) {
      state.failure ??= { error };
      reply = { id, failed: true };
    }
    state.open -= 1;
    // Posting to a closed port does nothing.
    port.postMessage(reply);
  });
  return state;
}

/** The other end: each method of the result is a call. */
export function callsOver<Api extends Handlers<Api>>(port: MessagePort): Api {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  port.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failed' in reply) call?.reject(new Error('a question of the thread has no answer'));
    else call?.resolve(reply.result);
  });
  return new Proxy({} as Api, {
    get(_, name: string) {
      return (...args: unknown[]) => {
        const call = Promise.withResolvers<unknown>();
        const id = ++last;
        waiting.set(id, call);
        port.postMessage({ id, name, args } satisfies Call);
        return call.promise;
      };
    },
  });
}
