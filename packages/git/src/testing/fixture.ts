/** Repositories for tests that compare the engine with stock git. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, type Git, type GitOptions, type Repository } from '../git.ts';
import { makeOddRepository } from './odd-repository.ts';
import { gitBytes, gitText } from './stock-git.ts';

export interface Fixture {
  root: string;
  git: Git;
  /** Creates an empty repository. */
  empty(name: string): Promise<Repository>;
  close(): Promise<void>;
}

export async function createFixture(options: Partial<GitOptions> = {}): Promise<Fixture> {
  const root = mkdtempSync(join(tmpdir(), 'forgelog-engine-'));
  const git = await createGit({ root: join(root, 'repositories'), ...options });
  return {
    root,
    git,
    async empty(name) {
      const repository = git.repository(name);
      await repository.init('main');
      return repository;
    },
    async close() {
      await git.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Adds the odd repository as a bare one. */
export function addOddRepository({ root, git }: Fixture): Repository {
  makeOddRepository(join(root, 'odd'));
  gitBytes(root, ['clone', '-q', '--mirror', 'odd', 'repositories/odd.git']);
  const repository = git.repository('odd.git');
  // A mirror has packed refs only.
  gitText(repository.gitDir, ['branch', 'loose', 'main']);
  return repository;
}

/** Finds this project's own checkout, if its history is available. */
export function findOwnHistory(): string | undefined {
  try {
    const top = gitText(import.meta.dirname, ['rev-parse', '--show-toplevel']);
    return gitText(top, ['rev-parse', '--is-shallow-repository']) === 'false' ? top : undefined;
  } catch {
    return undefined;
  }
}

/** Adds this project's history, with the checked-out commit as `main`. */
export function addOwnHistory({ root, git }: Fixture, top: string): Repository {
  gitBytes(root, ['clone', '-q', '--bare', '--no-local', top, 'repositories/own.git']);
  const repository = git.repository('own.git');
  gitText(repository.gitDir, ['update-ref', 'refs/heads/main', gitText(top, ['rev-parse', 'HEAD'])]);
  gitText(repository.gitDir, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
  return repository;
}
