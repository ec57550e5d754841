import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repository } from '../git.ts';
import { ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { childrenOf, isRunning } from '../testing/processes.ts';
import { ann, START } from '../testing/sample-changes.ts';
import { gitText } from '../testing/stock-git.ts';
import type { FileAction } from '../trees/tree-editor.ts';

let fixture: Fixture;
let repo: Repository;
let count = 0;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const git = (...args: string[]) => gitText(repo.gitDir, args);
const build = (actions: FileAction[], parents: string[] = []) =>
  repo.buildCommit({ parents, actions, author: ann, message: 'Change\n' });

async function fresh() {
  repo = await fixture.empty(`writes-${count++}.git`);
}

describe('moving refs', () => {
  const main = 'refs/heads/main';
  async function start() {
    await fresh();
    const first = (await build(START)).oid;
    const second = (await build([{ action: 'delete', path: 'a.txt' }], [first])).oid;
    await repo.updateRefs([{ ref: main, oldOid: ZERO_OID, newOid: first }]);
    return { first, second };
  }

  test('calls the hook while the ref is locked at its old id', async () => {
    const { first, second } = await start();
    const seen: unknown[] = [];
    await repo.updateRefs([{ ref: main, oldOid: first, newOid: second }], async () => {
      seen.push(await repo.readRef(main));
      expect(() => git('-c', 'core.filesRefLockTimeout=0', 'update-ref', main, first)).toThrow(
        /Unable to create/,
      );
    });
    expect([...seen, await repo.readRef(main)]).toEqual([first, second]);
  });

  test('invalidates cached refs after our own and foreign moves', async () => {
    const { first, second } = await start();
    const read = () => Promise.all([repo.readRef(main), repo.readRef('refs/heads/other')]);
    expect(await read()).toEqual([first, undefined]);
    await repo.updateRefs([{ ref: main, oldOid: first, newOid: second }]);
    expect(await read()).toEqual([second, undefined]);
    // A foreign write is seen a moment later.
    git('update-ref', main, first);
    git('update-ref', 'refs/heads/other', second);
    await expect.poll(read).toEqual([first, second]);
    git('pack-refs', '--all');
    expect(await read()).toEqual([first, second]);
    git('update-ref', '-d', 'refs/heads/other');
    await expect.poll(read).toEqual([first, undefined]);
  });

  test('moves nothing if the hook rejects, and the next move works', async () => {
    const { first, second } = await start();
    const update = { ref: main, oldOid: first, newOid: second };
    const vote = () => Promise.reject(new Error('no'));
    await expect(
      repo.updateRefs([update, { ref: 'refs/heads/b', oldOid: ZERO_OID, newOid: first }], vote),
    ).rejects.toThrow('no');
    expect(await repo.readRefs()).toEqual(new Map([[main, first]]));
    await repo.updateRefs([update]);
    expect(await repo.readRef(main)).toBe(second);
  });

  test('does not call the hook for an impossible move', async () => {
    const { first, second } = await start();
    const cases: [object, string][] = [
      [{ ref: main, oldOid: second, newOid: first }, 'ref_moved'],
      [{ ref: main, oldOid: ZERO_OID, newOid: second }, 'ref_moved'],
      [{ ref: 'refs/heads/nope', oldOid: first, newOid: second }, 'ref_moved'],
      [{ ref: 'refs/heads/nope', oldOid: first, newOid: ZERO_OID }, 'ref_moved'],
      [{ ref: `${main}/below`, oldOid: ZERO_OID, newOid: first }, 'ref_conflict'],
      [{ ref: 'refs/heads/x', oldOid: ZERO_OID, newOid: 'a'.repeat(40) }, 'object_not_found'],
      [
        {
          ref: 'refs/heads/x',
          oldOid: ZERO_OID,
          newOid: gitText(repo.gitDir, ['rev-parse', `${first}^{tree}`]),
        },
        'object_not_found',
      ],
      [{ ref: 'refs/heads/a b', oldOid: ZERO_OID, newOid: first }, 'invalid_name'],
      [{ ref: '../HEAD', oldOid: ZERO_OID, newOid: first }, 'invalid_name'],
      [{ ref: 'HEAD', oldOid: ZERO_OID, newOid: first }, 'invalid_name'],
      [{ ref: main, oldOid: first, newOid: 'nope' }, 'invalid_name'],
    ];
    for (const [update, code] of cases) {
      let asked = false;
      const vote = async () => {
        asked = true;
      };
      await expect(repo.updateRefs([update as never], vote)).rejects.toMatchObject({ code });
      expect([code, asked]).toEqual([code, false]);
    }
    expect(await repo.readRefs()).toEqual(new Map([[main, first]]));
  });

  test('completes although git was killed after the hook accepted', async () => {
    const { first, second } = await start();
    const killed: number[] = [];
    const supervisor = await fixture.git.supervisorPid();
    await repo.updateRefs([{ ref: main, oldOid: first, newOid: second }], async () => {
      for (const { pid } of childrenOf(supervisor).filter(({ command }) => command.includes('update-ref'))) {
        process.kill(pid, 'SIGKILL');
        killed.push(pid);
      }
      await expect.poll(() => killed.filter(isRunning)).toEqual([]);
    });
    expect(killed.length).toBeGreaterThan(0);
    expect(await repo.readRef(main)).toBe(second);
    expect(await repo.sweep()).toEqual([]);
  });

  test('deletes refs, and one of many concurrent writers wins', async () => {
    const { first, second } = await start();
    const writers = await Promise.allSettled(
      Array.from({ length: 8 }, () => repo.updateRefs([{ ref: main, oldOid: first, newOid: second }])),
    );
    expect(writers.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const writer of writers) {
      if (writer.status === 'rejected') expect(writer.reason).toMatchObject({ code: 'ref_moved', ref: main });
    }
    await repo.updateRefs([{ ref: main, oldOid: second, newOid: ZERO_OID }]);
    expect(await repo.readRefs()).toEqual(new Map());
  });
});
