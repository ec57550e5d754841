/** The read operations of one repository. */

import { blame } from './history/blame.ts';
import {
  countCommits,
  type LogOptions,
  lastCommitOf,
  listCommits,
  readCommit,
  resolveRange,
} from './history/commit-log.ts';
import { type DiffLimits, diffCommits } from './history/diff.ts';
import {
  changedEntries,
  changedFiles,
  changedPaths,
  countChangedPaths,
  diffStats,
} from './history/diff-stats.ts';
import {
  aheadBehind,
  containing,
  contributors,
  isAncestor,
  mergeBase,
  refsContaining,
} from './history/history.ts';
import { broughtFiles, newCommits } from './history/new-commits.ts';
import { openBlob, readFileAt } from './objects/blob-reader.ts';
import { type Commit, parseTag, type Tag } from './objects/commit-object.ts';
import { peelToCommit, resolveRevision } from './objects/revision.ts';
import { type SignedObject, signedCommit, signedTag } from './objects/signed-object.ts';
import { mergedInto } from './refs/merged.ts';
import { refsByAge } from './refs/ref-age.ts';
import { listRefs, readHead, readRef, readRefs } from './refs/ref-store.ts';
import type { RepositoryContext } from './repository-context.ts';
import { type ArchiveOptions, archive } from './transport/archive.ts';
import { type TreeEdit, treeAfter } from './trees/commit-builder.ts';
import { fileListing } from './trees/file-sizes.ts';
import { filesWith, treeListing } from './trees/grep.ts';
import { mergeConflicts } from './trees/merge.ts';
import { entryAt, listTree, type TreeOptions } from './trees/tree-reader.ts';

/** Objects are named by 40 hexadecimal digits; only `resolve*` and `commits` accept other names. */
export type RepositoryReads = ReturnType<typeof createReads>;

/** A tag ref, its target and its annotation if it has one. */
export interface TagInfo {
  ref: string;
  name: string;
  oid: string;
  commitOid: string | undefined;
  annotation: Tag | undefined;
}

export function createReads(context: RepositoryContext) {
  return {
    objects: context.objects,

    resolveRevision: (name: string) => resolveRevision(context, name),
    resolveRange: (revision: string) => resolveRange(context, revision),
    peelToCommit: (oid: string) => peelToCommit(context, oid),

    /** Resolves a full ref name to an object id. */
    readRef: (ref: string) => readRef(context, ref),
    /** Lists refs under a folder such as `refs/heads/`, by name. Returns the same array until one of them moves. */
    listRefs: (prefix?: string) => listRefs(context, prefix),
    /** Lists refs by commit time, oldest first; those that are no commits come first. */
    refsByAge: (prefix: string) => refsByAge(context, prefix),
    readRefs: () => readRefs(context),
    /** HEAD's branch, which may not exist yet. */
    defaultBranch: async () => (await readHead(context.gitDir))?.replace('refs/heads/', ''),
    tag: (name: string) => tagInfo(context, name),
    /** An annotated tag by its own id; undefined for any other object. */
    annotation: (oid: string) => annotationOf(context, oid),

    commit: (oid: string): Promise<Commit | undefined> => readCommit(context, oid),
    commits: (options?: LogOptions) => listCommits(context, options),
    countCommits: (options?: LogOptions, max?: number) => countCommits(context, options, max),
    commitStats: async (commit: Commit) => (await diffStats(context, [commit])).get(commit.id),
    /** What was signed of a commit or an annotated tag, and by what; undefined for one without a signature. */
    signed: (oid: string, type: 'commit' | 'tag') => signed(context, oid, type),
    newCommits: (tips: readonly string[], limit: number) => newCommits(context, tips, limit),
    broughtFiles: (commits: readonly string[]) => broughtFiles(context, commits),
    lastCommitOf: (commitOid: string, path: string) => lastCommitOf(context, commitOid, path),

    tree: (commitOid: string, options?: TreeOptions) => listTree(context, commitOid, options),
    entry: (commitOid: string, path: string) => entryAt(context, commitOid, path),
    file: (commitOid: string, path: string, maxBytes?: number) =>
      readFileAt(context, commitOid, path, maxBytes),
    fileListing: (commitOid: string) => fileListing(context, commitOid),
    treeListing: (commitOid: string) => treeListing(context, commitOid),
    changedFiles: (from: string, to: string) => changedFiles(context, from, to),
    filesWith: (commitOid: string, text: string, signal?: AbortSignal) =>
      filesWith(context, commitOid, text, signal),
    openBlob: (oid: string) => openBlob(context, oid),
    blame: (commitOid: string, path: string, signal?: AbortSignal) => blame(context, commitOid, path, signal),
    archive: (options: ArchiveOptions) => archive(context, options),

    /**
     * Compares two commits directly; `from` undefined means everything is new. For a three-dot diff use `mergeBase`
     * first.
     */
    diff: (from: string | undefined, to: string, limits?: DiffLimits) =>
      diffCommits(context, from, to, limits),
    /** The entries that differ, with their modes and ids. */
    changedEntries: (from: string | undefined, to: string) => changedEntries(context, from, to),
    treeAfter: (edit: TreeEdit) => treeAfter(context, edit),
    changedPaths: (from: string | undefined, to: string) => changedPaths(context, from, to),
    countChangedPaths: (from: string | undefined, to: string) => countChangedPaths(context, from, to),
    mergeBase: (oids: string[]) => mergeBase(context, oids),
    /** Paths that conflict if two commits are merged, up to 1,000 of them. */
    mergeConflicts: (ours: string, theirs: string) => mergeConflicts(context, ours, theirs),
    isAncestor: (ancestor: string, descendant: string) => isAncestor(context, ancestor, descendant),
    mergedInto: (oids: string[], descendant: string) => mergedInto(context, oids, descendant),
    containing: (oid: string, oids: readonly string[]) => containing(context, oid, oids),
    refsContaining: (oid: string, prefix: string) => refsContaining(context, oid, prefix),
    aheadBehind: (base: string, of: string) => aheadBehind(context, base, of),
    contributors: (commitOid: string) => contributors(context, commitOid),
  };
}

async function signed(
  context: RepositoryContext,
  oid: string,
  type: 'commit' | 'tag',
): Promise<SignedObject | undefined> {
  const content = await context.objects.need(oid, type);
  return type === 'commit' ? signedCommit(content) : signedTag(content);
}

async function tagInfo(context: RepositoryContext, name: string): Promise<TagInfo | undefined> {
  const ref = `refs/tags/${name}`;
  const oid = await readRef(context, ref).catch(() => undefined); // an invalid ref name
  if (!oid) return undefined;
  const commitOid = await peelToCommit(context, oid);
  return { ref, name, oid, commitOid, annotation: await annotationOf(context, oid) };
}

async function annotationOf(context: RepositoryContext, oid: string): Promise<Tag | undefined> {
  if ((await context.objects.info(oid))?.type !== 'tag') return undefined;
  return parseTag(oid, await context.objects.need(oid, 'tag'));
}
