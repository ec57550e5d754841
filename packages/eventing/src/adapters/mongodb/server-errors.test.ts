import { MongoInvalidArgumentError, MongoNetworkError } from 'mongodb';
import { expect, test } from 'vitest';
import { ReadStoreUnavailableError } from '../../read-store.ts';
import { reaching } from './server-errors.ts';

const failing = (error: Error) => reaching(() => Promise.reject(error));

test('a lost connection is unavailability, in the error of the driver and in that of its socket', async () => {
  const broken = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' });
  for (const error of [broken, new MongoNetworkError('connection 4 closed')])
    await expect(failing(error)).rejects.toBeInstanceOf(ReadStoreUnavailableError);
});

test('wrong use of the driver, and a defect of ours, pass through', async () => {
  for (const error of [new MongoInvalidArgumentError('no filter'), new TypeError('no field x')])
    await expect(failing(error)).rejects.toBe(error);
});
