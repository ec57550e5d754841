import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { projectCreated, projectDeleted, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { pipelineRecords, startPipeline } from '../testing/running-job.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { jobObjectPolicies } from './job-objects.policy.ts';
import {
  archivedLogKey,
  artifactObject,
  growingLogKey,
  namedObject,
  pipelineObjects,
  projectObjects,
} from './object-keys.ts';
import { removeUnnamedObjects } from './unnamed-objects.worker.ts';

const JOB = { projectId: 7, pipelineId: 1, jobId: 1, iid: 1 };
const SHA = 'c'.repeat(64);
const DAY_MS = 86_400_000;

async function start() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const given = [userCreated(2), projectCreated(7, { ownerId: 2 })];
  const slices = await startSlices([pipelineRecords], given, { clock: () => new Date(now) });
  const { ports } = slices;
  const pipeline = await startPipeline(ports, {}, [jobFacts('build'), jobFacts('test')]);
  await pipeline.run(1);
  const addArtifact = (fileType: string, sha256 = SHA) =>
    pipeline.act({
      ...{ type: 'AddArtifact', jobId: 1, fileType, fileFormat: 'zip', filename: 'a.zip', size: 1, sha256 },
      expiresAt: null,
    });
  const [policy] = jobObjectPolicies(ports);
  return {
    ...{ ports, pipeline, addArtifact },
    put: (...keys: string[]) => Promise.all(keys.map((key) => ports.objects.put(key, Buffer.from('x')))),
    keys: async () => (await Array.fromAsync(ports.objects.list(''))).map(({ key }) => key).sort(),
    wait: (ms: number) => {
      now += ms;
    },
    /** Lets the policy see an event, as often as it may come. */
    async told(type: string, data: object) {
      const event = { type, data, id: 'id', metadata: SYSTEM_METADATA } as never;
      for (let round = 0; round < 2; round += 1) await policy!.react(event, new AbortController().signal);
    },
  };
}

test('keys tell whose objects they are', () => {
  for (const [key, named] of [
    ['projects/7/1/1.log', { kind: 'log', jobId: 1, sha256: null }],
    [archivedLogKey(JOB, SHA), { kind: 'log', jobId: 1, sha256: SHA }],
    [artifactObject(JOB, 'junit', SHA), { kind: 'artifact', jobId: 1, fileType: 'junit', sha256: SHA }],
    [`${pipelineObjects(JOB)}definitions.${SHA}`, { kind: 'definitions', sha256: SHA }],
  ] as const)
    expect(namedObject(key)).toEqual({ projectId: 7, pipelineId: 1, ...named });
  for (const key of ['projects/7/1/1.other', 'uploads/7/1', `${projectObjects(7)}x`])
    expect(namedObject(key)).toBeUndefined();
});

test('what no record names is removed after a day, and nothing else', async () => {
  const { put, keys, wait, ports, addArtifact, pipeline } = await start();
  await addArtifact('archive');
  const named = [
    artifactObject(JOB, 'archive', SHA),
    growingLogKey(JOB),
    `${pipelineObjects(JOB)}definitions.${'b'.repeat(64)}`,
  ];
  const unnamed = [
    artifactObject(JOB, 'archive', 'd'.repeat(64)),
    artifactObject(JOB, 'junit', SHA),
    archivedLogKey(JOB, SHA),
    growingLogKey({ ...JOB, jobId: 99 }),
    `${pipelineObjects(JOB)}definitions.${SHA}`,
    artifactObject({ ...JOB, projectId: 8 }, 'archive', SHA).replace('/1/1.', '/2/3.'),
  ];
  const foreign = ['uploads/7/picture'];
  await put(...named, ...unnamed, ...foreign);
  wait(DAY_MS - 1);
  await removeUnnamedObjects(ports);
  expect(await keys()).toEqual([...named, ...unnamed, ...foreign].sort());
  wait(2);
  await removeUnnamedObjects(ports);
  expect(await keys()).toEqual([...named, ...foreign].sort());
  await pipeline.end(1);
  await pipeline.act({ type: 'EraseJob', jobId: 1, userId: 2 });
  await removeUnnamedObjects(ports);
  expect(await keys()).toEqual([named[2]!, ...foreign].sort());
});

test('objects go with what they belong to', async () => {
  const { put, keys, told } = await start();
  const archive = artifactObject(JOB, 'archive', SHA);
  const report = artifactObject(JOB, 'junit', SHA);
  const log = archivedLogKey(JOB, SHA);
  const next = artifactObject({ ...JOB, jobId: 11 }, 'archive', SHA);
  const other = artifactObject({ ...JOB, pipelineId: 12 }, 'archive', SHA);
  const elsewhere = artifactObject({ ...JOB, projectId: 70 }, 'archive', SHA);
  await put(archive, report, log, growingLogKey(JOB), next, other, elsewhere);
  await told('JobArtifactDeleted', { ...JOB, fileType: 'archive', reason: 'deleted' });
  expect(await keys()).not.toContain(archive);
  expect(await keys()).toHaveLength(6);
  await told('JobErased', { ...JOB });
  expect(await keys()).toEqual([elsewhere, next, report, other].sort());
  await told('PipelineDeleted', { pipelineId: 1, projectId: 7, iid: 1 });
  expect(await keys()).toEqual([elsewhere, other].sort());
  await told('ProjectDeleted', projectDeleted(7).event.data as object);
  expect(await keys()).toEqual([elsewhere]);
});

test('the log of a job that ran is archived when it ends', async () => {
  const { ports, pipeline, keys, told } = await start();
  await ports.objects.append(growingLogKey(JOB), 0, Buffer.from('text'));
  const { events } = await pipeline.end(1, 'failed');
  const failed = events.find(({ type }) => type === 'JobFailed')!;
  await told('JobFailed', failed.data as object);
  const [kept, ...others] = await keys();
  expect(kept).toMatch(/^projects\/7\/1\/1\.log\.[0-9a-f]{64}$/);
  expect(others).toEqual([]);
});
