import { GitBusyError, GitError, SupervisorLostError } from '@forgelog/git/errors.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';

const RETRY_S = 5;

/** @throws Rejection `unavailable` if git is overloaded, or closed because the server stops */
export async function unlessBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isGitClosed(error)) throw unavailable('the server stops', RETRY_S);
    if (!(error instanceof GitBusyError || error instanceof SupervisorLostError)) throw error;
    throw unavailable('git is busy', RETRY_S, error);
  }
}

/** A server that stops starts no more commands of git: an expected end, and no failure. */
export const isGitClosed = (error: unknown): boolean => error instanceof GitError && error.code === 'closed';
