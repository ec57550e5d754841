import { MongoClient } from 'mongodb';
import { afterAll, describe } from 'vitest';
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
});
