import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { RefConflictError, RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { expect, test } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { refAccess } from '../refs/ref.access.ts';
import { UNPROTECTED } from '../refs/ref-protection.rules.ts';
import { COMMIT_FAILED, type CommitWriting, writeCommit } from './commit.commands.ts';

const TIP = 'a'.repeat(40);
const NEW = 'b'.repeat(40);

/** Ports over a repository whose branch `main` is at TIP. */
function portsWith(moveRefs: (updates: readonly RefUpdate[]) => Promise<void>): RepoPorts {
  const repository = {
    readRef: async (ref: string) => (ref === 'refs/heads/main' ? TIP : undefined),
    isAncestor: async () => true,
    lastCommitOf: async () => TIP,
    buildCommit: async () => ({ oid: NEW, treeOid: NEW, changed: true, unchanged: [] }),
  } as unknown as Repository;
  return {
    clock: () => new Date(0),
    commands: {} as CommandHandler,
    refAccess: (grant: ProjectGrant) => refAccess(grant, UNPROTECTED),
    repositories: {
      of: () => repository,
      moveRefs: (_: number, updates: readonly RefUpdate[]) => moveRefs(updates),
    },
  } as unknown as RepoPorts;
}

const writing: CommitWriting = {
  grant: {
    project: { id: 7, readOnly: null, defaultBranch: 'main' },
    level: 30,
    can: () => true,
  } as unknown as ProjectGrant,
  caller: { name: 'A', email: 'a@example.org' } as Principal,
  metadata: SYSTEM_METADATA,
  branch: 'main',
  message: 'm',
  actions: [{ action: 'create', path: 'x', content: Buffer.from('x') }],
};

test('the branch moves from the commit that the new one builds on', async () => {
  const moves: RefUpdate[] = [];
  const ports = portsWith(async (updates) => void moves.push(...updates));
  expect(await writeCommit(ports, writing)).toBe(NEW);
  expect(moves).toEqual([{ ref: 'refs/heads/main', oldOid: TIP, newOid: NEW }]);
});

test('the commit fails if a push moves the branch meanwhile [L204]', async () => {
  for (const error of [new RefMovedError('refs/heads/main'), new RefConflictError('x')]) {
    const ports = portsWith(() => Promise.reject(error));
    await expect(writeCommit(ports, writing)).rejects.toMatchObject({
      status: 400,
      body: { message: COMMIT_FAILED },
    });
  }
});

test('any other failure is passed on', async () => {
  const failure = new Error('disk full');
  await expect(
    writeCommit(
      portsWith(() => Promise.reject(failure)),
      writing,
    ),
  ).rejects.toBe(failure);
});

test('writers of one branch are serialized, and other branches do not wait', async () => {
  let inside = 0;
  let most = 0;
  const ports = portsWith(async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  });
  await Promise.all(Array.from({ length: 5 }, () => writeCommit(ports, writing)));
  expect(most).toBe(1);
  const other = (id: number) => ({
    ...writing,
    grant: { ...writing.grant, project: { ...writing.grant.project, id } },
  });
  await Promise.all(Array.from({ length: 5 }, (_, id) => writeCommit(ports, other(id))));
  expect(most).toBe(5);
});
