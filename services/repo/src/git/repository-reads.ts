/** Everything that can be read of one repository, bound to it. */
import { type ArchiveOptions, archive } from './archive.ts';
import { blame } from './blame.ts';
import { openBlob, readFileAt } from './blob-reader.ts';
import {
  countCommits,
  type LogOptions,
  lastCommitOf,
  listCommits,
  readCommit,
  resolveRange,
} from './commit-log.ts';
import { type Commit, parseTag, type Tag } from './commit-object.ts';
import { type DiffLimits, diffCommits } from './diff.ts';
import { changedPaths, diffStats } from './diff-stats.ts';
import { aheadBehind, contributors, isAncestor, mergeBase, refsContaining } from './history.ts';
import { mergedInto } from './merged.ts';
import { refsByAge } from './ref-age.ts';
import { listRefs, readHead, readRef, readRefs } from './ref-store.ts';
import { peelToCommit, resolveRevision } from './revision.ts';
import type { Store } from './store.ts';
import { entryAt, listTree, type TreeOptions } from './tree-reader.ts';

/** Commits, trees and blobs are named by 40 hexadecimal digits; only `resolve*` and `commits` take names. */
export type RepositoryReads = ReturnType<typeof createReads>;

/** A tag ref: what it points to, and the annotation where there is one. */
export type TagInfo = {
  ref: string;
  name: string;
  oid: string;
  commitOid: string | undefined;
  annotation: Tag | undefined;
};

export function createReads(store: Store) {
  return {
    /** `read`, `info` and `need` of any object by id. */
    objects: store.objects,

    resolveRevision: (name: string) => resolveRevision(store, name),
    resolveRange: (revision: string) => resolveRange(store, revision),
    peelToCommit: (oid: string) => peelToCommit(store, oid),

    /** Object id of a full ref name, or undefined. */
    readRef: (ref: string) => readRef(store, ref),
    /** Refs under a prefix that is a folder (`refs/heads/`), by name: the same array as long as none of them moved. */
    listRefs: (prefix?: string) => listRefs(store, prefix),
    /** The same by the time of the commits that they name, the oldest first; those of no commit before all others. */
    refsByAge: (prefix: string) => refsByAge(store, prefix),
    /** Every ref as git has it on disk now. */
    readRefs: () => readRefs(store),
    /** Name of the default branch, which may not exist yet. */
    defaultBranch: async () => (await readHead(store.gitDir))?.replace('refs/heads/', ''),
    tag: (name: string) => tagInfo(store, name),

    commit: (oid: string): Promise<Commit | undefined> => readCommit(store, oid),
    commits: (options?: LogOptions) => listCommits(store, options),
    countCommits: (options?: LogOptions, max?: number) => countCommits(store, options, max),
    commitStats: async (commit: Commit) => (await diffStats(store, [commit])).get(commit.id),
    lastCommitOf: (commitOid: string, path: string) => lastCommitOf(store, commitOid, path),

    tree: (commitOid: string, options?: TreeOptions) => listTree(store, commitOid, options),
    entry: (commitOid: string, path: string) => entryAt(store, commitOid, path),
    file: (commitOid: string, path: string, maxBytes?: number) =>
      readFileAt(store, commitOid, path, maxBytes),
    openBlob: (oid: string) => openBlob(store, oid),
    blame: (commitOid: string, path: string, signal?: AbortSignal) => blame(store, commitOid, path, signal),
    archive: (options: ArchiveOptions) => archive(store, options),

    /** Between two commits, directly; `from` undefined for everything. For the merge base ask `mergeBase` first. */
    diff: (from: string | undefined, to: string, limits?: DiffLimits) => diffCommits(store, from, to, limits),
    changedPaths: (from: string | undefined, to: string) => changedPaths(store, from, to),
    mergeBase: (oids: string[]) => mergeBase(store, oids),
    isAncestor: (ancestor: string, descendant: string) => isAncestor(store, ancestor, descendant),
    mergedInto: (oids: string[], descendant: string) => mergedInto(store, oids, descendant),
    refsContaining: (oid: string, prefix: string) => refsContaining(store, oid, prefix),
    aheadBehind: (base: string, of: string) => aheadBehind(store, base, of),
    contributors: (commitOid: string) => contributors(store, commitOid),
  };
}

async function tagInfo(store: Store, name: string): Promise<TagInfo | undefined> {
  const ref = `refs/tags/${name}`;
  const oid = await readRef(store, ref).catch(() => undefined); // a name that no ref can have
  if (!oid) return undefined;
  const object =
    (await store.objects.info(oid))?.type === 'tag' ? await store.objects.need(oid, 'tag') : undefined;
  const commitOid = await peelToCommit(store, oid);
  return { ref, name, oid, commitOid, annotation: object && parseTag(oid, object) };
}
