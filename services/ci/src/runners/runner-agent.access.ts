import { Rejection } from '@forgelog/contracts/errors.ts';
import type { CredentialRef, EventMetadata } from '@forgelog/eventing/event.ts';
import { metadataOf, type Origin } from '@forgelog/service-kit/principal.ts';
import type { RunnerTokens } from './runner-tokens.ts';
import type { RunnerRow } from './runners.projection.ts';
import type { TokenGuesses } from './token-guesses.ts';

/** Metadata of what an agent does: nobody's act, by its own credential. */
export const byAgent = (origin: Origin, credential: CredentialRef): EventMetadata => ({
  ...metadataOf(null, origin),
  credential,
});

/**
 * @throws Rejection 403 for a token of no runner: the only refusal that makes an agent give up. 429 where its address
 * guesses tokens
 */
export async function needRunner(
  { runners, guesses }: { runners: Pick<RunnerTokens, 'runnerOf'>; guesses: TokenGuesses },
  token: string,
  origin: Origin,
): Promise<RunnerRow> {
  const runner = await runners.runnerOf(token);
  if (!runner) {
    guesses.wrong(token, origin);
    throw new Rejection('forbidden', {});
  }
  guesses.right(`runner ${runner.id}`, origin);
  return runner;
}
