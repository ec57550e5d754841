/** Answers that hold for ever, because they depend on object ids alone: kept while they are used. */
import type { Store } from './store.ts';

/** The answer to `question` (a kind, and ids), computed once. One that is undefined is asked for again. */
export async function remember<T>(store: Store, question: string[], compute: () => Promise<T>): Promise<T> {
  const key = `${store.key}\0${question.join('\0')}`;
  const known = store.answers.get(key) as T | undefined;
  if (known !== undefined) return known;
  const answer = await compute();
  if (answer !== undefined) store.answers.set(key, answer, key.length * 2 + weight(answer));
  return answer;
}

/** About its bytes in memory. */
function weight(answer: unknown): number {
  if (typeof answer === 'string') return 50 + answer.length * 2;
  if (Array.isArray(answer)) return answer.reduce((sum: number, one) => sum + weight(one), 50);
  if (typeof answer === 'object' && answer !== null)
    return Object.values(answer).reduce((sum, one) => sum + weight(one) + 30, 50);
  return 16;
}
