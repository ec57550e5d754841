/** `POST git-receive-pack`: a push, with a rule check before it and a vote on its refs. */
import type { Readable } from 'node:stream';
import { GitCancelledError } from '../errors.ts';
import { type GitPolicy, pushConfig } from '../process/command-environment.ts';
import { outputStream } from '../process/command-stream.ts';
import type { RefUpdate } from '../refs/ref-transaction.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { answerPushHooks, type PushHooks } from './push-hooks.ts';
import { feed, protocolEnvironment, type ServiceOptions } from './upload-pack.ts';

export type { PushHooks, Quarantine, Verdict } from './push-hooks.ts';

/** `output` is the response's body; `done` resolves after the ends of git and of the last hook. */
export interface Push {
  output: Readable;
  /** The moved refs. Rejects with the first error of a hook or of git, after moved refs were reported. */
  done: Promise<RefUpdate[]>;
}

/** Milliseconds before git is killed. If it ends by itself, it leaves nothing behind. */
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
  const hook = answerPushHooks(context, {
    ...hooks,
    preReceive(updates, push) {
      writing.moves(updates.map(({ ref }) => ref));
      return hooks.preReceive(updates, push);
    },
  });
  const starting = context.runner.start(context, args, true, {
    config: pushConfig({ ...policy, maxPushBytes: options.maxPackBytes ?? policy.maxPushBytes }),
    env: protocolEnvironment(options.protocol),
    onHook: hook.answer,
    deadlineMs: options.deadlineMs ?? 3_600_000,
    weight: 'heavy',
  });
  starting.catch(writing.leave);
  const command = await starting;

  // A kill would leave git's quarantine behind. So after a disconnect git's input ends, further hooks refuse, and a
  // running one is awaited.
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

  const finish = async (error?: unknown) => {
    clearInterval(grace);
    options.signal?.removeEventListener('abort', abandon);
    return hook.finish(error ?? (grace && new GitCancelledError())).finally(writing.leave);
  };
  const done = command.exit.then(() => finish(), finish);
  done.catch(() => {});
  // git reports problems in its output, and then exits with 1 or 128.
  return { output: outputStream(command, args, [0, 1, 128], abandon), done };
}
