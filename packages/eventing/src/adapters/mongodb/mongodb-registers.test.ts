import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, test } from 'vitest';
import { describeRegisters } from '../../testing/registers.contract.ts';
import { openMongodbRegisters } from './mongodb-registers.ts';

const url = process.env.MONGODB_URL ?? '';
const database = `forgelog_test_${process.pid}_${Date.now()}_registers`;

describe.skipIf(!url)('on the server that MONGODB_URL names', () => {
  afterAll(async () => {
    const client = await MongoClient.connect(url);
    await client.db(database).dropDatabase();
    await client.close();
  });

  describeRegisters('mongodb', () => openMongodbRegisters({ url, database }));

  test('writes of several processes are neither lost nor repeated', async () => {
    const processes = await Promise.all([1, 2, 3, 4].map(() => openMongodbRegisters({ url, database })));
    const ROUNDS = 15;
    await Promise.all(
      processes.map(async (registers) => {
        for (let done = 0; done < ROUNDS; ) {
          const held = await registers.read('count');
          const next = String(Number(held?.value ?? 0) + 1);
          if (await registers.write('count', held?.version ?? 0, next)) done++;
        }
      }),
    );
    const written = processes.length * ROUNDS;
    for (const registers of processes)
      expect(await registers.read('count')).toEqual({ version: written, value: String(written) });
    await Promise.all(processes.map((registers) => registers.close()));
  });
});
