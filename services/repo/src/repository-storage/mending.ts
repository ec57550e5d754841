/** Repairs a repository to match the log: at start, and by `npm run repair`. */
import type { Logger } from '@forgelog/service-kit/log.ts';
import { followsRecords } from '../merges/merge-request-ref-names.ts';
import { FIRST_BRANCH } from '../projects/project-creation.commands.ts';
import type { Repositories } from './repositories.ts';
import { lostObject } from './roll-forward.ts';

export interface Mended {
  /** Repaired problems, a sentence each. */
  done: string[];
  /** Remaining problems, with what to do. */
  left: string[];
}

/**
 * Runs only while nothing else uses the repository. `logged` holds its refs by full name. The log itself is read only
 * if they differ.
 */
export async function mendRepository(
  ports: { repositories: Pick<Repositories, 'of' | 'create' | 'rollForward'>; log: Logger },
  project: { id: number; defaultBranch: string | null },
  logged: () => Promise<ReadonlyMap<string, string>>,
): Promise<Mended> {
  const { repositories, log } = ports;
  const { id, defaultBranch } = project;
  const branch = defaultBranch ?? FIRST_BRANCH;
  const repository = repositories.of(id);
  const done: string[] = [];
  const left: string[] = [];
  if (!(await repository.exists())) {
    await repositories.create(id, branch);
    done.push('the repository was not there, or without a HEAD');
  }
  const damage = await repository.mend(branch);
  for (const { path, problem } of damage) done.push(`${path} ${problem}`);
  for (const path of await repository.sweep()) done.push(`${path} was left behind by a git that was killed`);
  const wanted = await logged();
  const present = new Map([...(await repository.readRefs())].filter(([ref]) => !followsRecords(ref)));
  if (wanted.size !== present.size || [...wanted].some(([ref, oid]) => present.get(ref) !== oid)) {
    const rolled = await repositories.rollForward(id);
    for (const { ref, oldOid, newOid } of rolled.moved)
      done.push(`${ref} was at ${oldOid}, not at ${newOid}`);
    for (const { ref, oid, reason } of rolled.left) left.push(`${ref} is not at ${oid}: ${reason}`);
  }
  // A corrupt object was removed: no ref may name a missing one. Check this without a history walk.
  if (damage.some(({ kind }) => kind === 'object'))
    for (const [ref, oid] of wanted)
      if (!(await repository.objects.info(oid))) left.push(`${ref} is at ${oid}: ${lostObject(oid)}`);
  if (defaultBranch !== null && (await repository.defaultBranch()) !== defaultBranch) {
    await repository.setHead(defaultBranch);
    done.push(`HEAD did not name ${defaultBranch}`);
  }
  if (done.length > 0) log.warn({ projectId: id, mended: done }, 'repository mended');
  if (left.length > 0) log.error({ projectId: id, problems: left }, 'repository cannot be mended by itself');
  return { done, left };
}
