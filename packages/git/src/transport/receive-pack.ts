/** `POST git-receive-pack`: a push, with a rule check before it and a vote on every ref that it moves. */
import type { Readable } from 'node:stream';
import { GitCancelledError } from '../errors.ts';
import { type GitPolicy, pushConfig } from '../process/command-environment.ts';
import { outputStream } from '../process/command-stream.ts';
import type { Exit } from '../process/supervisor-protocol.ts';
import type { RefUpdate } from '../refs/ref-transaction.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { createTransactionHook, type PushHooks } from './reference-transaction-hook.ts';
import { feed, protocolEnvironment, type ServiceOptions } from './upload-pack.ts';

export type { PushHooks, Quarantine, Verdict } from './reference-transaction-hook.ts';

/** `output` is the response's body; `done` resolves when git has ended and the last hook has returned. */
export interface Push {
  output: Readable;
  /** Refs that moved. Rejects with the first error of a hook, or of git; the refs that moved have been reported before. */
  done: Promise<RefUpdate[]>;
}

/** Milliseconds that git gets to end by itself, which leaves nothing behind, before it is killed. */
const GRACE_MS = 3_000;

export async function receivePack(
  context: RepositoryContext,
  policy: GitPolicy,
  body: Readable,
  hooks: PushHooks,
  options: ServiceOptions = {},
): Promise<Push> {
  const args = ['receive-pack', '--stateless-rpc', context.gitDir];
  const writing = context.refWriters.enter(context.gitDir);
  const hook = createTransactionHook(context, {
    ...hooks,
    preReceive(updates, push) {
      writing.moves(updates.map(({ ref }) => ref));
      return hooks.preReceive(updates, push);
    },
  });
  const starting = context.runner.start(context, args, true, {
    config: pushConfig(policy),
    env: protocolEnvironment(options.protocol),
    onHook: hook.answer,
    deadlineMs: options.deadlineMs ?? 3_600_000,
    weight: 'heavy',
  });
  starting.catch(writing.leave);
  const command = await starting;

  // Killed, git would leave its quarantine behind, or be torn from between a vote and its refs. So a push whose
  // client is gone hears the end of its input, every further vote is against it, and a running one is waited for.
  let grace: NodeJS.Timeout | undefined;
  const abandon = () => {
    if (grace) return;
    hook.refuse();
    command.stdin?.destroy();
    grace = setInterval(() => hook.idle() && command.kill(), GRACE_MS);
  };
  options.signal?.addEventListener('abort', abandon, { once: true });
  if (options.signal?.aborted) abandon();
  feed(body, command, abandon);

  const finish = async (exit: Exit | undefined, error?: unknown) => {
    clearInterval(grace);
    options.signal?.removeEventListener('abort', abandon);
    return hook.finish(exit, error ?? (grace && new GitCancelledError())).finally(writing.leave);
  };
  const done = command.exit.then(finish, (error: unknown) => finish(undefined, error));
  done.catch(() => {});
  // git says what it has to say in the output, and ends with 1 or 128 then.
  return { output: outputStream(command, args, [0, 1, 128], abandon), done };
}
