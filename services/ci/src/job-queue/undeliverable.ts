import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';

/** A job that cannot be handed out to anybody. */
export class Undeliverable extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
