import { spawnSync } from 'node:child_process';

/** The same durability as the product's. */
const DURABLE = ['-c', 'core.fsync=objects,derived-metadata,reference'];

export function git(
  gitDir: string,
  args: readonly string[],
  input: string | Buffer = '',
  index?: string,
): string {
  const done = spawnSync('git', [...DURABLE, '--git-dir', gitDir, ...args], {
    input,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      GIT_AUTHOR_NAME: 'Bench',
      GIT_AUTHOR_EMAIL: 'bench@example.org',
      GIT_COMMITTER_NAME: 'Bench',
      GIT_COMMITTER_EMAIL: 'bench@example.org',
    },
  });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

/** A commit of one file like a script makes it, with six processes. */
export function commitByPlumbing(gitDir: string, index: string, path: string, content: string): string {
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], content);
  git(gitDir, ['read-tree', 'refs/heads/main'], '', index);
  git(gitDir, ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], '', index);
  const tree = git(gitDir, ['write-tree'], '', index);
  const commit = git(gitDir, ['commit-tree', tree, '-p', 'refs/heads/main', '-m', path]);
  git(gitDir, ['update-ref', 'refs/heads/main', commit]);
  return commit;
}
