/** The repositories that the oracle tests read, each as stock git sees it and as the engine does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, type Git, type GitOptions, type Repository } from '../git.ts';
import { makeOddRepository } from './odd-repository.ts';
import { gitBytes, gitText } from './stock-git.ts';

export interface Fixture {
  root: string;
  git: Git;
  /** A new repository of this name, empty. */
  empty(name: string): Promise<Repository>;
  close(): Promise<void>;
}

/** An engine on a new folder. */
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

/** The odd one, as a bare repository of the engine. */
export function addOddRepository({ root, git }: Fixture): Repository {
  makeOddRepository(join(root, 'odd'));
  gitBytes(root, ['clone', '-q', '--mirror', 'odd', 'repositories/odd.git']);
  const repository = git.repository('odd.git');
  // A mirror has packed refs only.
  gitText(repository.gitDir, ['branch', 'loose', 'main']);
  return repository;
}

/** Where this project's whole history is, if it is here. */
export function findOwnHistory(): string | undefined {
  try {
    const top = gitText(import.meta.dirname, ['rev-parse', '--show-toplevel']);
    return gitText(top, ['rev-parse', '--is-shallow-repository']) === 'false' ? top : undefined;
  } catch {
    return undefined;
  }
}

/** This project's history, with what is checked out as `main`. */
export function addOwnHistory({ root, git }: Fixture, top: string): Repository {
  gitBytes(root, ['clone', '-q', '--bare', '--no-local', top, 'repositories/own.git']);
  const repository = git.repository('own.git');
  gitText(repository.gitDir, ['update-ref', 'refs/heads/main', gitText(top, ['rev-parse', 'HEAD'])]);
  gitText(repository.gitDir, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
  return repository;
}
