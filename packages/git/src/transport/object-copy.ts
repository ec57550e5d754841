import { pipeline } from 'node:stream/promises';
import { assertOid } from '../objects/object-id.ts';
import { alternatesValue } from '../process/command-environment.ts';
import { assertExit } from '../process/git-runner.ts';
import { listRefs } from '../refs/ref-store.ts';
import type { RepositoryContext } from '../repository-context.ts';

/**
 * Copies the objects that `tips` (commits or tags of `source`) reach and `target` lacks, as one durable pack. It moves no
 * ref. It copies only reached objects: a fork must not get what its source hides or dropped.
 */
export async function copyObjects(
  source: RepositoryContext,
  target: RepositoryContext,
  tips: string[],
  signal?: AbortSignal,
): Promise<void> {
  const absent: string[] = [];
  for (const oid of new Set(tips.map(assertOid))) if (!(await target.objects.info(oid))) absent.push(oid);
  if (absent.length === 0) return;
  const known = (await listRefs(target)).map(({ oid }) => `^${oid}`);
  // The source sees the target's objects, so that it can leave those out.
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesValue([`${target.gitDir}/objects`]) };
  const options = { weight: 'heavy', deadlineMs: 3_600_000, signal } as const;
  const packArgs = ['pack-objects', '--revs', '--stdout', '--thin', '--delta-base-offset', '-q'];
  const indexArgs = ['index-pack', '--stdin', '--fix-thin'];
  const pack = await source.runner.start(source, packArgs, true, { ...options, env });
  try {
    // It takes no slot of its own: waiting for a second one while holding the first could deadlock.
    const index = await target.runner.start(target, indexArgs, true, { ...options, weight: 'session' });
    index.stdout.resume();
    pack.stdin!.end(`${[...absent, ...new Set(known)].join('\n')}\n`);
    await pipeline(pack.stdout, index.stdin!).catch(() => index.kill());
    assertExit(packArgs, await pack.exit);
    assertExit(indexArgs, await index.exit);
  } catch (error) {
    pack.kill();
    throw error;
  }
}
