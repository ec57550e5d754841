/** Answers git's two hooks of a push: the check of rules, and the move of all its refs. */
import { isOid } from '../objects/object-id.ts';
import { movePushedRefs } from '../refs/pushed-refs.ts';
import type { RefUpdate } from '../refs/ref-transaction.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { FLUSH, packet } from './packet.ts';

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
   * The vote: the refs are locked at their old ids, and the objects are in. One call for all refs that can move; rarely
   * several. Throwing leaves them; the user reads the reason of a `MoveRefusedError` beside each of them. A client may retry the push, so a vote must compare old ids with the recorded ones.
   */
  prepared(updates: RefUpdate[]): Promise<void>;
  /** Called after the refs moved. */
  committed(updates: RefUpdate[]): Promise<void> | void;
  /** Called if the refs did not move after `prepared`, even one that threw: recorded moves need reconciling. */
  aborted(updates: RefUpdate[]): Promise<void> | void;
}

export interface HookReply {
  ok: boolean;
  message: string;
  /** What the hook writes to its output. */
  report?: string;
}

export interface PushHookAnswers {
  answer(lines: string[]): Promise<HookReply>;
  /** Refuses every later check and move. */
  refuse(): void;
  /** True if no hook waits for an answer. */
  idle(): boolean;
  /** Returns the moved refs, once nothing moves. @throws the first error of a hook, or this one */
  finish(error: unknown): Promise<RefUpdate[]>;
}

const REFUSED: HookReply = { ok: false, message: '' };
const NOT_RECORDED = 'the push could not be recorded';

export function answerPushHooks(context: RepositoryContext, hooks: PushHooks): PushHookAnswers {
  const moved: RefUpdate[] = [];
  let failure: { error: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let refusing = false;
  let asked = 0;

  const failed = (error: unknown) => {
    failure ??= { error };
  };

  async function check(lines: string[]): Promise<HookReply> {
    try {
      const { ok, message = '' } = await hooks.preReceive(parseUpdates(lines), parseContext(lines));
      return { ok, message };
    } catch (error) {
      failed(error);
      return { ok: false, message: 'internal error' };
    }
  }

  async function move(lines: string[]): Promise<HookReply> {
    const updates = parseUpdates(lines);
    const changing = updates.filter(({ oldOid, newOid }) => oldOid !== newOid);
    const isAtomic = lines.some((line) => /^capabilities\b.* atomic( |$)/.test(line));
    const problems = await movePushedRefs(context, changing, isAtomic, {
      vote: (voting) => hooks.prepared(voting),
      async ended(voting, error) {
        if (error !== undefined) failed(error);
        else moved.push(...voting);
        try {
          await (error === undefined ? hooks.committed(voting) : hooks.aborted(voting));
        } catch (problem) {
          failed(problem);
        }
      },
      notRecorded: NOT_RECORDED,
    });
    const report = updates.map(({ ref }) => {
      const problem = problems.get(ref);
      return packet(problem === undefined ? `ok ${ref}` : `ng ${ref} ${problem}`);
    });
    return { ok: true, message: '', report: `${report.join('')}${FLUSH}` };
  }

  return {
    answer(lines) {
      asked += 1;
      const turn = last
        .then(() => {
          if (refusing) return REFUSED;
          return lines[0] === 'pre-receive' ? check(lines) : move(lines);
        })
        .finally(() => {
          asked -= 1;
        });
      last = turn.catch(failed);
      return turn;
    },
    refuse: () => {
      refusing = true;
    },
    idle: () => asked === 0,
    async finish(error) {
      await last;
      if (failure) throw failure.error;
      if (error) throw error;
      return moved;
    },
  };
}

function parseUpdates(lines: string[]): RefUpdate[] {
  return lines.flatMap((line) => {
    const [, oldOid, newOid, ref] = /^update (\S+) (\S+) (refs\/.*)$/.exec(line) ?? [];
    return oldOid && newOid && ref && isOid(oldOid) && isOid(newOid) ? [{ ref, oldOid, newOid }] : [];
  });
}

function parseContext(lines: string[]): { pushOptions: string[]; quarantine: Quarantine } {
  const values = (key: string) =>
    lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const [objectDirectory = ''] = values('objects');
  const [alternates = ''] = values('alternates');
  return { pushOptions: values('option'), quarantine: { objectDirectory, alternates } };
}
