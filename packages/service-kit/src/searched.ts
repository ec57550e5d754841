import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_SEARCHED_WORDS } from '@forgelog/contracts/shared/search.ts';
import { type Condition, holdsWords, type SortKey } from '@forgelog/eventing/query.ts';
import { wordsOf } from '@forgelog/eventing/words.ts';

/** The words of a search. @throws 400 where there are none, or too many */
export function searchedWords(search: string): string[] {
  const refused = (problem: string) =>
    new Rejection('invalid_parameters', { problems: [`search ${problem}`] });
  if (search.trim() === '') throw refused('is empty');
  const words = wordsOf(search);
  if (words.length === 0) throw refused('has no letter or digit to look for');
  if (words.length > MOST_SEARCHED_WORDS)
    throw refused(`has too many words (maximum is ${MOST_SEARCHED_WORDS})`);
  return words;
}

/** What holds the words, and in what order: the best first unless an order is asked for. */
export interface Searched {
  found: Condition;
  sort: readonly SortKey[];
  first: Condition | undefined;
}

/** @param telling fields of which a hit counts more than one of `others` */
export function searched(
  words: readonly string[],
  { telling, others = [], byTime }: Looked,
  sort: (direction: 'asc' | 'desc') => readonly SortKey[] = (direction) => [
    { field: 'createdAt', direction },
  ],
): Searched {
  return {
    found: holdsWords([...telling, ...others], words),
    sort: sort(byTime ?? 'desc'),
    first: byTime === null && others.length > 0 ? holdsWords(telling, words) : undefined,
  };
}

interface Looked {
  telling: readonly string[];
  others?: readonly string[];
  /** null: the best first. */
  byTime: 'asc' | 'desc' | null;
}
