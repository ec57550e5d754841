/** Brings refs to what the log says, and tells whether a repository is sound. */
import { ZERO_OID } from './object-id.ts';
import { listRefs } from './ref-store.ts';
import { type RefUpdate, updateRefs } from './ref-transaction.ts';
import type { Store } from './store.ts';

export type Reconciled = {
  /** What was changed. */
  advanced: RefUpdate[];
  /** Refs whose wanted object is not there: left as they were. */
  missing: { ref: string; oid: string }[];
};

/** Branches and tags that are not wanted are removed; in other namespaces only what is wanted is touched. */
const OWNED = /^refs\/(heads|tags)\//;

/** `wanted`: full ref name to object id, as the log has it. Running it twice changes nothing. */
export async function reconcile(store: Store, wanted: ReadonlyMap<string, string>): Promise<Reconciled> {
  const present = new Map((await listRefs(store)).map(({ ref, oid }) => [ref, oid]));
  const removals: RefUpdate[] = [];
  const changes: RefUpdate[] = [];
  const missing: Reconciled['missing'] = [];
  for (const [ref, oid] of present) {
    if (OWNED.test(ref) && !wanted.has(ref)) removals.push({ ref, oldOid: oid, newOid: ZERO_OID });
  }
  for (const [ref, oid] of wanted) {
    const oldOid = present.get(ref) ?? ZERO_OID;
    if (oldOid === oid) continue;
    if (await store.objects.info(oid)) changes.push({ ref, oldOid, newOid: oid });
    else missing.push({ ref, oid });
  }
  // Apart, and in this order: `a` must be gone before `a/b` can come.
  await updateRefs(store, removals);
  await updateRefs(store, changes);
  return { advanced: [...removals, ...changes], missing };
}

export type FsckReport = { ok: boolean; problems: string[] };

/** `git fsck --strict`, everything. Objects that nothing refers to are no problem. */
export async function fsck(store: Store, deadlineMs = 600_000): Promise<FsckReport> {
  const args = ['fsck', '--strict', '--full', '--no-dangling', '--no-progress'];
  const run = await store.runner.capture(store, args, {
    codes: Array.from({ length: 128 }, (_, code) => code),
    weight: 'heavy',
    deadlineMs,
  });
  const problems = `${run.stdout}${run.stderr}`
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('notice:'));
  return { ok: run.code === 0, problems };
}

export type DiskUse = {
  /** Of objects, loose and packed. */
  bytes: number;
  looseObjects: number;
  packs: number;
};

export async function diskUse(store: Store): Promise<DiskUse> {
  const { stdout } = await store.runner.capture(store, ['count-objects', '-v']);
  const told = new Map(
    stdout
      .toString()
      .match(/^[\w-]+: \d+$/gm)
      ?.map((line) => line.split(': ') as [string, string]),
  );
  const figure = (name: string) => Number(told.get(name) ?? 0);
  const kibibytes = figure('size') + figure('size-pack') + figure('size-garbage');
  return { bytes: kibibytes * 1024, looseObjects: figure('count'), packs: figure('packs') };
}
