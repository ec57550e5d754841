import { FetchError } from './build-step.ts';

/** Tries ways to get a program, one after the other. If none works, prints why and returns null. */
export async function orWithout<T>(name: string, ...ways: readonly (() => Promise<T>)[]): Promise<T | null> {
  const problems: string[] = [];
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      problems.push(error.message);
    }
  }
  process.stderr.write(`Without ${name}, which is skipped: ${problems.join('; ')}.\n`);
  return null;
}
