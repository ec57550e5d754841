import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { PushHooks } from '@forgelog/git/transport/receive-pack.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { expect, test, vi } from 'vitest';
import { branchRule } from '../protected-branches/protected-branch.rules.ts';
import { levelAdmission } from '../refs/admission.rules.ts';
import { createRefAccess } from '../refs/ref.access.ts';
import { type RefRule, type RefRuleSource, refProtections } from '../refs/ref-protection.rules.ts';
import { createGitTransport } from './git-transport.ts';
import { NOTHING_RECORDED } from './repositories.ts';

const OLD = 'a'.repeat(40);
const update: RefUpdate = { ref: 'refs/heads/release/1', oldOid: OLD, newOid: ZERO_OID };
const protection = branchRule({
  ...{ name: 'release/*', allowForcePush: false },
  ...{ pushAccess: [levelAdmission(40)], mergeAccess: [levelAdmission(40)] },
});

/** A push of one deletion by a developer, in whose vote rules may be others than before it. */
async function pushed(before: RefRule[], inVote: RefRule[]) {
  const source = { changes: 0, rules: before };
  const rules: RefRuleSource = {
    get changes() {
      return source.changes;
    },
    rulesOf: async () => source.rules,
  };
  const record = vi.fn(async () => NOTHING_RECORDED);
  const outcome: { verdict?: unknown; vote?: unknown } = {};
  async function receivePack(_: Readable, hooks: PushHooks) {
    const context = { pushOptions: [], quarantine: { objectDirectory: '', alternates: '' } };
    outcome.verdict = await hooks.preReceive([update], context);
    source.rules = inVote;
    source.changes += 1;
    outcome.vote = await hooks.prepared([update]).then(
      () => 'moves',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    return { output: Readable.from([]), done: Promise.resolve([]) };
  }
  const reads = { peelToCommit: async () => undefined, close: () => {} };
  const transport = createGitTransport({
    repositories: {
      ...{ of: () => ({ receivePack, inQuarantine: () => reads }), write: async () => () => {} },
      ...{ record, moved: async () => {}, isDeleted: async () => false, isElsewhere: async () => false },
    },
    refAccess: createRefAccess(
      refProtections([rules], { today: () => '2030-01-01' }),
      { groupLevel: async () => 0 },
      async () => [],
    ),
    pushVariables: { keep: () => {} },
    pushRules: { problem: async () => null },
    log: { warn: () => {}, error: () => {}, info: () => {} },
  } as unknown as Parameters<typeof createGitTransport>[0]);
  const grant = { project: { id: 7, readOnly: null, defaultBranch: 'main' }, level: 30, userId: 5 };
  const request = { grant: grant as unknown as ProjectGrant, metadata: SYSTEM_METADATA };
  type Request = Parameters<typeof transport.receivePack>[1];
  await buffer(await transport.receivePack(Readable.from([]), request as unknown as Request));
  return { ...outcome, recorded: record.mock.calls.length };
}

test('a protection that comes after the objects of a push have arrived refuses it in the vote', async () => {
  expect(await pushed([], [])).toEqual({ verdict: { ok: true }, vote: 'moves', recorded: 1 });
  expect(await pushed([], [protection])).toMatchObject({
    verdict: { ok: true },
    // git reports the reason of this error to whoever pushes.
    vote: expect.stringMatching(/^MoveRefusedError: You are not allowed to delete protected branches/),
    recorded: 0,
  });
  expect(await pushed([protection], [])).toMatchObject({ verdict: { ok: false } });
});
