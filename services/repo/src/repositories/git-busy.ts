import { Rejection } from '@forgelog/contracts/errors.ts';
import { BrokerLostError, GitBusyError } from '../git/git-errors.ts';

/** @throws Rejection `unavailable` where git has too much to do just now */
export async function unlessBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitBusyError || error instanceof BrokerLostError)) throw error;
    throw new Rejection('unavailable', { reason: 'git is busy' }, { 'Retry-After': '5' });
  }
}
