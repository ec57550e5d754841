import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  GitBusyError,
  GitFailedError,
  GitTimeoutError,
  InvalidNameError,
  ObjectTooLargeError,
  RefsBehindError,
  SupervisorLostError,
} from '@forgelog/git/errors.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';

/** Like `implement`, for handlers that run git: maps git's errors to refusals. */
export function implementWithGit<E extends AnyEndpoint>(
  endpoint: E,
  handle: (request: ApiRequest<E>) => Promise<Answer>,
): Implementation {
  return implement(endpoint, async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  });
}

/** The refusal for an error of git. Returns undefined for an error that means a bug. */
export function refusalOf(error: unknown): Rejection | undefined {
  const later = (reason: string) =>
    new Rejection('unavailable', { reason }, { 'Retry-After': '5' }) as Rejection;
  if (error instanceof GitBusyError) return later('the repository is busy');
  if (error instanceof GitTimeoutError) return later('the repository holds too much to answer this in time');
  if (error instanceof SupervisorLostError) return later('the repository cannot be read now');
  // The recorded move is applied at the next start at the latest.
  if (error instanceof RefsBehindError) return later('the repository is behind the event log');
  if (error instanceof GitFailedError && error.isDisk) return later('the disk cannot be written now');
  if (error instanceof ObjectTooLargeError)
    return new Rejection('too_large', { what: `the object holds ${error.size} bytes` }) as Rejection;
  if (error instanceof InvalidNameError)
    return new Rejection('bad_request', { reason: error.message }) as Rejection;
  return undefined;
}
