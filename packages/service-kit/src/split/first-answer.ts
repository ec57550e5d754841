import { Rejection } from '@forgelog/contracts/errors.ts';

/**
 * Tries instances in order. Moves on only after a refusal that guarantees that nothing happened: `unavailable` with
 * Retry-After.
 * @throws the refusal of the last one
 */
export async function firstAnswer<Answer>(
  urls: readonly string[],
  ask: (url: string, isLast: boolean) => Promise<Answer>,
): Promise<Answer> {
  for (const url of urls.slice(0, -1)) {
    try {
      return await ask(url, false);
    } catch (error) {
      if (!mayGoOn(error)) throw error;
    }
  }
  return ask(urls.at(-1)!, true);
}

function mayGoOn(error: unknown): boolean {
  return error instanceof Rejection && error.code === 'unavailable' && 'Retry-After' in error.headers;
}
