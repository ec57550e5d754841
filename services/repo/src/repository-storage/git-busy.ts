import { Rejection } from '@forgelog/contracts/errors.ts';
import { GitBusyError, SupervisorLostError } from '@forgelog/git/errors.ts';

/** @throws Rejection `unavailable` if git is overloaded */
export async function unlessBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitBusyError || error instanceof SupervisorLostError)) throw error;
    throw new Rejection('unavailable', { reason: 'git is busy' }, { 'Retry-After': '5' });
  }
}
