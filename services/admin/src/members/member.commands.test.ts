import { Rejection } from '@forgelog/contracts/errors.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { addMembers, checkMembership } from './member.commands.ts';
import { memberSlice } from './member.slice.ts';

const levels = [10, 20, 30];
const today = '2030-01-10';

test('the level is one of the list, and the end no day that is over', () => {
  const check = (access_level: number, expires_at: string | null | undefined) => () =>
    checkMembership({ access_level, expires_at }, levels, today);
  expect(check(30, undefined)).not.toThrow();
  expect(check(30, null)).not.toThrow();
  expect(check(30, today)).not.toThrow();
  expect(check(40, '2030-01-09')).toThrow(
    expect.objectContaining({
      status: 400,
      body: {
        message: {
          access_level: ['is not included in the list'],
          expires_at: ['cannot be a date in the past'],
        },
      },
    }),
  );
});

async function adding(...userIds: number[]) {
  const { ports } = await startSlices([memberSlice], [userCreated(1), userCreated(2)]);
  const added: number[] = [];
  const answer = addMembers(
    ports,
    userIds,
    async (userId) => {
      if (userId === 2) throw new Rejection('conflict', { message: 'Member already exists' });
      added.push(userId);
    },
    async (userId) => value({ id: userId }),
  );
  return { added, answer };
}

test('one user is answered as the member that they became', async () => {
  const { added, answer } = await adding(1, 1);
  expect(await answer).toEqual(value({ id: 1 }));
  expect(added).toEqual([1]);
});

test('of one user what is wrong is the answer', async () => {
  await expect((await adding()).answer).rejects.toMatchObject({ status: 400 });
  await expect((await adding(9)).answer).rejects.toMatchObject({
    status: 404,
    body: { message: '404 User Not Found' },
  });
  await expect((await adding(2)).answer).rejects.toMatchObject({ status: 409 });
});

test('of several users those are added who can be, and the others are named', async () => {
  const { added, answer } = await adding(9, 2, 1);
  expect(await answer).toEqual(
    value({ status: 'error', message: { 9: 'User not found', user2: 'Member already exists' } }),
  );
  expect(added).toEqual([1]);
});
