/** An empty repository behind HTTP, and a folder in which stock git works with it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../git.ts';
import type { Fixture } from './fixture.ts';
import { type GitServer, serveGit } from './git-server.ts';
import { gitAsync, gitText } from './stock-git.ts';

export interface ServedRepository {
  repo: Repository;
  server: GitServer;
  work: string;
  /** Runs git in the folder. */
  local(...args: string[]): string;
  push(...args: string[]): ReturnType<typeof gitAsync>;
  /** Commits a file, and returns the commit's id. */
  change(name?: string, content?: string): string;
}

let count = 0;

export async function serveEmptyRepository(fixture: Fixture): Promise<ServedRepository> {
  count += 1;
  const repo = await fixture.empty(`served-${count}.git`);
  const server = await serveGit(repo);
  const work = join(fixture.root, `work-${count}`);
  mkdirSync(work);
  gitText(work, ['init', '-q', '-b', 'main']);
  const local = (...args: string[]) => gitText(work, args);
  return {
    repo,
    server,
    work,
    local,
    push: (...args) => gitAsync(work, ['push', server.url, ...args]),
    change(name = 'a', content = `${Math.random()}\n`) {
      writeFileSync(join(work, name), content);
      local('add', '-A');
      local('commit', '-q', '-m', `Change ${name}`);
      return local('rev-parse', 'HEAD');
    },
  };
}
