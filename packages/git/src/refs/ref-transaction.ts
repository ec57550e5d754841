/** Moves refs atomically, with a vote between lock and move. */

import {
  GitBusyError,
  GitFailedError,
  ObjectNotFoundError,
  RefConflictError,
  RefMovedError,
  RefsBehindError,
} from '../errors.ts';
import { assertOid, ZERO_OID } from '../objects/object-id.ts';
import type { Session } from '../process/session-pool.ts';
import type { RunningCommand } from '../process/supervisor-client.ts';
import type { Exit } from '../process/supervisor-protocol.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { assertRefName } from './ref-name.ts';
import { removeLocksOf } from './stale-locks.ts';

/** 40 zeros as the old id mean that the ref must not exist; as the new id, that it is deleted. */
export interface RefUpdate {
  ref: string;
  oldOid: string;
  newOid: string;
}

/**
 * Locks the refs at their old ids, calls `vote` and moves them. If `vote` throws, nothing moves and its error is
 * rethrown. Before the vote it throws RefMovedError, RefConflictError, ObjectNotFoundError or GitBusyError (a ref stays
 * locked); after it, RefsBehindError if git failed twice.
 */
export async function updateRefs(
  context: RepositoryContext,
  updates: RefUpdate[],
  vote: () => Promise<void> = async () => {},
): Promise<void> {
  if (updates.length === 0) return vote();
  const writing = context.refWriters.enter(context.gitDir);
  try {
    writing.moves(updates.map(({ ref }) => ref));
    await votedUpdate(context, updates, vote);
  } finally {
    writing.leave();
  }
}

async function votedUpdate(
  context: RepositoryContext,
  updates: RefUpdate[],
  vote: () => Promise<void>,
): Promise<void> {
  let voted = false;
  let exit: Promise<Exit> | undefined;
  const once = async (command: RunningCommand) => {
    exit = command.exit;
    if (!voted) await vote();
    voted = true;
  };
  try {
    await transact(context, updates, once);
  } catch (error) {
    if (!voted) throw error;
    // The move is recorded, so retry it on a new process before leaving it to the reconciler.
    const refs = updates.map(({ ref }) => ref);
    await removeLocksOf(context.gitDir, refs, await exit?.catch(() => undefined));
    await transact(context, updates, once).catch((cause: unknown) => {
      throw new RefsBehindError(cause);
    });
  }
}

function transact(
  context: RepositoryContext,
  updates: RefUpdate[],
  prepared: (command: RunningCommand) => Promise<void>,
): Promise<void> {
  const commands = updates.map(commandOf);
  const open = () =>
    context.runner.start(context, ['update-ref', '--stdin'], true, { weight: 'session', deadlineMs: 0 });
  return context.sessions.with(`${context.key}\0update-ref`, open, async (session) => {
    await say(session, `start\n${commands.join('')}prepare\n`, ['start: ok', 'prepare: ok'], updates);
    try {
      await prepared(session.command);
    } catch (error) {
      await say(session, 'abort\n', ['abort: ok'], updates);
      throw error;
    }
    await say(session, 'commit\n', ['commit: ok'], updates);
    return { result: undefined, keep: true };
  });
}

function commandOf({ ref, oldOid, newOid }: RefUpdate): string {
  assertRefName(ref);
  assertOid(oldOid);
  if (assertOid(newOid) === ZERO_OID)
    return oldOid === ZERO_OID ? `verify ${ref} ${ZERO_OID}\n` : `delete ${ref} ${oldOid}\n`;
  return oldOid === ZERO_OID ? `create ${ref} ${newOid}\n` : `update ${ref} ${newOid} ${oldOid}\n`;
}

async function say(
  { command, output }: Session,
  text: string,
  expected: readonly string[],
  updates: RefUpdate[],
) {
  command.stdin!.write(text);
  for (const line of expected) {
    const answer = await output.line();
    if (answer !== line) throw await problem(command, answer, updates);
  }
}

/** git stops at the first error; its output tells which one. */
async function problem(
  command: RunningCommand,
  answer: string | undefined,
  updates: RefUpdate[],
): Promise<Error> {
  if (answer !== undefined) return new GitFailedError('update-ref', null, `unexpected answer ${answer}`);
  const { code, stderr } = await command.exit;
  const ref = updates.find((update) => stderr.includes(`'${update.ref}'`))?.ref;
  if (/but expected|reference already exists|unable to resolve reference|reference is missing/.test(stderr)) {
    return new RefMovedError(ref);
  }
  if (/nonexistent object|non-commit object/.test(stderr)) {
    const update = updates.find((one) => stderr.includes(one.newOid));
    return new ObjectNotFoundError(update?.newOid ?? 'of a ref', 'commit');
  }
  if (/cannot create|at the same time/.test(stderr))
    return new RefConflictError(`${ref ?? 'a ref'} stands in the way of another`);
  if (/\.lock': File exists/.test(stderr)) return new GitBusyError('a ref is locked');
  return new GitFailedError('update-ref', code, stderr);
}
