import { Rejection } from '@forgelog/contracts/errors.ts';
import { LARGEST_IID } from '@forgelog/contracts/shared/project-number.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { normalise } from '@forgelog/eventing/document.ts';
import { WrongExpectedRevisionError } from '@forgelog/eventing/event-store.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';
import { expect, test } from 'vitest';
import { createProjectNumbers } from './project-numbers.ts';
import { iidOf, placeOf } from './project-place.ts';

const tickets = defineCollection({
  name: 'tickets',
  key: 'place',
  fields: { place: 'integer' },
  indexes: [],
});

/** Numbers of tickets; the projects hold tickets of these numbers. */
async function numbersAfter(taken: Readonly<Record<number, readonly number[]>>) {
  const readStore = openMemoryReadStore();
  await readStore.declare([tickets]);
  const places = Object.entries(taken).flatMap(([id, iids]) => iids.map((iid) => placeOf(Number(id), iid)!));
  await readStore.write({
    changes: places.map((place) => ({
      ...{ kind: 'put', collection: tickets, key: place, position: '1' },
      document: normalise(tickets, { place }),
    })),
    checkpoints: new Map(),
  });
  return createProjectNumbers(readStore, tickets, 'ticket');
}

const give = async (iid: number) => iid;
const conflict = () =>
  new ConflictError('ticket-1', new WrongExpectedRevisionError('ticket-1', 'no-stream', 0));

test('numbers of a project follow its last one, whatever other projects have', async () => {
  const numbers = await numbersAfter({ 1: [1, 2], 2: [5] });
  expect(await numbers.withNext(1, give)).toBe(3);
  expect(await numbers.withNext(2, give)).toBe(6);
  expect(await numbers.withNext(3, give)).toBe(1);
});

test('a number that was not used is given to the next caller, the lowest first', async () => {
  const numbers = await numbersAfter({});
  const fail = () => Promise.reject(new Rejection('forbidden', {}));
  const together = [fail, give, fail].map((create) => numbers.withNext(1, create).catch(() => 0));
  expect(await Promise.all(together)).toEqual([0, 2, 0]);
  expect([await numbers.withNext(1, give), await numbers.withNext(1, give)]).toEqual([1, 3]);
});

test('a number that another process took is passed over', async () => {
  const numbers = await numbersAfter({});
  const asked: number[] = [];
  const iid = await numbers.withNext(1, async (next) => {
    asked.push(next);
    if (next < 3) throw conflict();
    return next;
  });
  expect([iid, asked]).toEqual([3, [1, 2, 3]]);
  await numbers.taken(1, 9);
  expect(await numbers.withNext(1, give)).toBe(10);
});

test('a project whose numbers are used up says so', async () => {
  const numbers = await numbersAfter({ 1: [LARGEST_IID] });
  const rejection = await numbers.withNext(1, give).catch((error: unknown) => error);
  expect(rejection).toMatchObject({
    code: 'unprocessable',
    body: { message: 'The project has no ticket number left' },
  });
});

test('a place holds project and number, and no other number', () => {
  expect(iidOf(placeOf(900_000_000, LARGEST_IID)!)).toBe(LARGEST_IID);
  for (const iid of [0, -1, 1.5, LARGEST_IID + 1, Number.NaN]) expect(placeOf(1, iid)).toBeUndefined();
});
