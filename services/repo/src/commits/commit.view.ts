import { ref, TextRef } from '@forgelog/service-kit/ready-json.ts';
import type { Commit } from '../git/commit-object.ts';
import type { DiffEntry } from '../git/diff.ts';

/** Commit, short form [L51]. Times are UTC. */
export function shortCommit(commit: Commit) {
  return {
    id: commit.id,
    short_id: commit.id.slice(0, 8),
    created_at: commit.committer.date.utc,
    title: commit.title,
    author_name: commit.author.name,
    author_email: commit.author.email,
  };
}

/** The form of merge bases and releases [L51]. */
export function detailedCommit(commit: Commit) {
  return {
    ...shortCommit(commit),
    parent_ids: commit.parentIds,
    message: commit.message,
    authored_date: commit.author.date.utc,
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
    committed_date: commit.committer.date.utc,
  };
}

/** Commit, full form (companions 3). Holds references: to be written as ready JSON. */
export function fullCommit(commit: Commit, projectId: number) {
  return {
    ...detailedCommit(commit),
    web_url: new TextRef(['', ref.host, '/', ref.projectPath(projectId), `/-/commit/${commit.id}`]),
  };
}

/** One changed file [L54]. */
export function diffEntry(entry: DiffEntry) {
  return {
    old_path: entry.oldPath,
    new_path: entry.newPath,
    a_mode: entry.aMode,
    b_mode: entry.bMode,
    diff: entry.diff,
    new_file: entry.newFile,
    renamed_file: entry.renamedFile,
    deleted_file: entry.deletedFile,
  };
}
