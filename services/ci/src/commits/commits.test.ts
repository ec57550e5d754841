import type { AnswerOf, RequestOf } from '@forgelog/contracts/operation.ts';
import type { describeCommits } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { expect, test } from 'vitest';
import { createCommits } from './commits.ts';

const [KNOWN, LOST] = ['a'.repeat(40), 'b'.repeat(40)];
const ann = { name: 'Ann', email: 'ann@example.com', date: '2029-12-31T12:00:00.000Z' };

/** Commits whose questions to repo are counted. */
function counted() {
  const asked: (readonly string[])[] = [];
  const operations = {
    async call(_: unknown, { shas }: RequestOf<typeof describeCommits>) {
      asked.push(shas);
      const factsOf = (id: string) => ({
        id,
        parentIds: [],
        title: 'x',
        message: 'x',
        author: ann,
        committer: ann,
      });
      return { commits: shas.map((sha) => (sha === KNOWN ? factsOf(sha) : null)) } as AnswerOf<
        typeof describeCommits
      >;
    },
  };
  return { asked, commits: createCommits(operations as unknown as Operations) };
}

const grant = (canRead: boolean, id = 7) =>
  ({ project: { id }, level: 10, can: () => canRead }) as unknown as ProjectGrant;

test('a commit is asked for once, and one that is lost each time', async () => {
  const { asked, commits } = counted();
  for (let time = 0; time < 2; time++) {
    const found = await commits.of(grant(true), [KNOWN, LOST, KNOWN]);
    expect([...found.keys()]).toEqual([KNOWN]);
  }
  expect(asked).toEqual([[KNOWN, LOST], [LOST]]);
  await commits.of(grant(true, 8), [KNOWN]);
  expect(asked).toHaveLength(3);
});

test('whoever may not read the repository gets no commit, known or not', async () => {
  const { asked, commits } = counted();
  await commits.of(grant(true), [KNOWN]);
  expect((await commits.of(grant(false), [KNOWN])).size).toBe(0);
  expect(asked).toHaveLength(1);
});
