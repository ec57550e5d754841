import { createRandom } from './random.ts';

const WORDS =
  'build cache client commit deploy diff docs error export fetch filter git header import index job key label limit lock log merge mirror page path pipeline port project push query queue read record release request review runner search server session sort stage step stream table tag test text thread timeout token tree update upload user value view wait window worker write'.split(
    ' ',
  );
const LABELS = 20;
const FIRST_DAY = Date.UTC(2020, 0, 1);
const MINUTE = 60_000;

/** Deterministic for a seed. */
export interface IssueText {
  title: string;
  description: string;
  labels: string[];
  authorId: number;
  assigneeIds: number[];
  /** ISO 8601, one minute after the previous issue. */
  time: string;
}

/** Generates issues of about 2 KB per answer, with up to three labels and two assignees of `users`. */
export function createIssueTexts(seed: number, users: readonly number[]): (number: number) => IssueText {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const words = (count: number) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' ');
  const some = <T>(most: number, one: () => T): T[] => [
    ...new Set(Array.from({ length: below(most + 1) }, one)),
  ];
  return (number) => ({
    title: `${words(5)} ${number}`,
    description: `${words(30)}\n\n- [ ] ${words(5)}\n- [x] ${words(5)}`,
    labels: some(3, () => `label ${below(LABELS)}`),
    authorId: users[below(users.length)]!,
    assigneeIds: some(2, () => users[below(users.length)]!),
    time: new Date(FIRST_DAY + number * MINUTE).toISOString(),
  });
}
