/** Memoizes results that depend on object ids alone, and so never change. */
import type { RepositoryContext } from '../repository-context.ts';

/** Caches the result of a computation, unless it is undefined. The key is its kind and ids. */
export async function memoized<T>(
  context: RepositoryContext,
  question: string[],
  compute: () => Promise<T>,
): Promise<T> {
  const key = answerKey(context, question);
  const known = context.answers.get(key) as T | undefined;
  if (known !== undefined) return known;
  const answer = await compute();
  if (answer !== undefined) context.answers.set(key, answer, key.length * 2 + weight(answer));
  return answer;
}

export const answerKey = (context: RepositoryContext, question: string[]): string =>
  `${context.key}\0${question.join('\0')}`;

/** Estimates bytes in memory. */
export function weight(answer: unknown): number {
  if (typeof answer === 'string') return 50 + answer.length * 2;
  if (Array.isArray(answer)) return answer.reduce((sum: number, one) => sum + weight(one), 50);
  if (typeof answer === 'object' && answer !== null)
    return Object.values(answer).reduce((sum, one) => sum + weight(one) + 30, 50);
  return 16;
}
