/** Turns git's messages during a push into ordered calls of the push's hooks. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SupervisorLostError } from '../errors.ts';
import { isOid, ZERO_OID } from '../objects/object-id.ts';
import type { Exit } from '../process/supervisor-protocol.ts';
import { readRef } from '../refs/ref-store.ts';
import type { RefUpdate } from '../refs/ref-transaction.ts';
import { removeLocksOf } from '../refs/stale-locks.ts';
import type { RepositoryContext } from '../repository-context.ts';

/** Holds the objects of a push until it is accepted. */
export interface Quarantine {
  objectDirectory: string;
  alternates: string;
}

export type Verdict = { ok: true; message?: string } | { ok: false; message: string };

export interface PushHooks {
  /**
   * Checks rules, once for all refs of the push, before any object is accepted. The user sees a message as
   * `remote: <message>`. A refusal ends each ref with "pre-receive hook declined"; an exception refuses without a message.
   */
  preReceive(
    updates: RefUpdate[],
    context: { pushOptions: string[]; quarantine: Quarantine },
  ): Promise<Verdict>;
  /**
   * The vote: the refs of one transaction are locked at their old ids, and the objects are in. One call per ref, or one
   * for an atomic push. Throwing aborts the transaction and breaks the connection. The client may then retry the push, so a
   * vote must compare old ids with the recorded ones.
   */
  prepared(updates: RefUpdate[]): Promise<void>;
  /** Called after the refs moved; git does not wait for it. */
  committed(updates: RefUpdate[]): Promise<void> | void;
  /** Called if the refs did not move after `prepared`, even one that threw: recorded moves need reconciling. */
  aborted(updates: RefUpdate[]): Promise<void> | void;
}

export interface TransactionHook {
  answer(lines: string[]): Promise<{ ok: boolean; message: string }>;
  /** Refuses every later vote. */
  refuse(): void;
  /** True if no hook waits for an answer. */
  idle(): boolean;
  /** Reports transactions that were prepared and have no outcome. */
  finish(exit: Exit | undefined, error: unknown): Promise<RefUpdate[]>;
}

const REFUSED = { ok: false, message: '' };

export function createTransactionHook(context: RepositoryContext, hooks: PushHooks): TransactionHook {
  let open: RefUpdate[] = []; // prepared, neither committed nor aborted
  const moved: RefUpdate[] = [];
  let failure: { error: unknown } | undefined;
  // git does not wait for "committed", so calls are queued in order.
  let last: Promise<unknown> = Promise.resolve();
  let refusing = false;
  let asked = 0;

  const guarded = async (work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      failure ??= { error };
      return false;
    }
    return true;
  };

  const close = async (outcome: 'committed' | 'aborted', updates: RefUpdate[]) => {
    if (updates.length === 0) return;
    open = open.filter((update) => !updates.includes(update));
    if (outcome === 'committed') moved.push(...updates);
    await guarded(() => hooks[outcome](updates));
  };

  const take = async (lines: string[]): Promise<{ ok: boolean; message: string }> => {
    const [what, state] = lines[0]!.split(' ');
    const updates = parseUpdates(lines);
    if (refusing && (what === 'pre-receive' || state === 'prepared')) return REFUSED;
    if (what === 'pre-receive') {
      let verdict: Verdict = { ok: false, message: 'internal error' };
      await guarded(async () => {
        verdict = await hooks.preReceive(updates, parseContext(lines));
      });
      const { ok, message = '' } = verdict as Verdict;
      return { ok, message };
    }
    if (state !== 'prepared') {
      // git also reports transactions that had no vote.
      const names = new Set(updates.map(({ ref }) => ref));
      await close(
        state as 'committed' | 'aborted',
        open.filter(({ ref }) => names.has(ref)),
      );
      return REFUSED;
    }
    const voting = await withOldIds(context, updates);
    open.push(...voting);
    if (voting.length === 0 || (await guarded(() => hooks.prepared(voting))))
      return { ok: true, message: '' };
    await close('aborted', voting);
    return REFUSED;
  };

  return {
    answer(lines) {
      asked += 1;
      const turn = last
        .then(() => take(lines))
        .finally(() => {
          asked -= 1;
        });
      last = turn.catch(() => {});
      return turn;
    },
    refuse: () => {
      refusing = true;
    },
    idle: () => asked === 0,
    async finish(exit, error) {
      await last;
      const refs = open.map(({ ref }) => ref);
      if (refs.length > 0) await removeLocksOf(context.gitDir, refs, exit);
      if (error instanceof SupervisorLostError) await unlocked(context, open);
      // git was killed between the vote and its report, so the refs tell the outcome.
      for (const update of open) {
        const now = (await readRef(context, update.ref)) ?? ZERO_OID;
        await close(now === update.newOid ? 'committed' : 'aborted', [update]);
      }
      if (failure) throw failure.error;
      if (error) throw error;
      return moved;
    },
  };
}

/** Waits up to five seconds until git releases its locks; a lock without an owner stays. */
async function unlocked(context: RepositoryContext, updates: RefUpdate[]) {
  const locked = () => updates.some(({ ref }) => existsSync(join(context.gitDir, `${ref}.lock`)));
  for (let tries = 0; tries < 50 && locked(); tries++) await setTimeout(100);
}

/** Parses `update <old> <new> <ref>`. A change of a branch also shows as one of HEAD, which is skipped. */
function parseUpdates(lines: string[]): RefUpdate[] {
  return lines.flatMap((line) => {
    const [, oldOid, newOid, ref] = /^update (\S+) (\S+) (refs\/.*)$/.exec(line) ?? [];
    return oldOid && newOid && ref && isOid(oldOid) && isOid(newOid) ? [{ ref, oldOid, newOid }] : [];
  });
}

/** An old id of zeros can mean "any". The ref is locked, so its value can be read. */
async function withOldIds(context: RepositoryContext, updates: RefUpdate[]): Promise<RefUpdate[]> {
  const known: RefUpdate[] = [];
  for (const update of updates) {
    const oldOid =
      update.oldOid === ZERO_OID ? ((await readRef(context, update.ref)) ?? ZERO_OID) : update.oldOid;
    if (oldOid !== update.newOid) known.push({ ...update, oldOid });
  }
  return known;
}

function parseContext(lines: string[]): { pushOptions: string[]; quarantine: Quarantine } {
  const values = (key: string) =>
    lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const [objectDirectory = ''] = values('objects');
  const [alternates = ''] = values('alternates');
  return { pushOptions: values('option'), quarantine: { objectDirectory, alternates } };
}
