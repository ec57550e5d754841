import { Rejection } from '@forgelog/contracts/errors.ts';
import type { CredentialRef, EventMetadata } from '@forgelog/eventing/event.ts';
import { metadataOf, type Origin } from '@forgelog/service-kit/principal.ts';
import type { RunnerTokens } from './runner-tokens.ts';
import type { RunnerRow } from './runners.projection.ts';

/** Metadata of what an agent does: nobody's act, by its own credential. */
export const byAgent = (origin: Origin, credential: CredentialRef): EventMetadata => ({
  ...metadataOf(null, origin),
  credential,
});

/** @throws Rejection 403 for a token of no runner: the only refusal that makes an agent give up */
export async function needRunner(runners: Pick<RunnerTokens, 'runnerOf'>, token: string): Promise<RunnerRow> {
  const runner = await runners.runnerOf(token);
  if (!runner) throw new Rejection('forbidden', {});
  return runner;
}
