import { expect, test } from 'vitest';
import { composeService, defineSlice } from './slice.ts';

test('a service combines its slices; workers stop in reverse', async () => {
  const log: string[] = [];
  const worker = (name: string) => () => ({
    start: async () => void log.push(`start ${name}`),
    stop: async () => void log.push(`stop ${name}`),
  });
  const projection = { name: 'p', collections: [], handles: [], project: async () => {} };
  const policy = { name: 'q', handles: [], actsAs: {}, react: async () => {} };
  const one = defineSlice<{ host: string }>({
    projections: [projection],
    workers: [worker('a'), worker('b')],
  });
  const two = defineSlice<{ host: string }>({
    policies: [({ host }) => [{ ...policy, name: host }]],
    workers: [worker('c')],
  });
  const service = composeService('ci', { host: 'here' }, [one, two]);
  expect(service).toMatchObject({
    name: 'ci',
    projections: [projection],
    implementations: [],
    placeholders: [],
    operations: [],
  });
  expect(service.policies.map(({ name }) => name)).toEqual(['here']);
  await service.start();
  await service.stop();
  expect(log).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});
