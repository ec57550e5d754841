import { Rejection } from '@forgelog/contracts/errors.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';

/** Another attempt may end otherwise. */
export const isPassing = (error: unknown) =>
  error instanceof Rejection
    ? error.status >= 500 || error.status === 429
    : error instanceof ConflictError || unavailability(error) !== undefined;
