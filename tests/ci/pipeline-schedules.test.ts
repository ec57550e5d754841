import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

const DAY_MS = 86_400_000;

test.runIf(!process.env.TEST_STORES && !process.env.TEST_PROCESSES)(
  'a schedule that was missed while the server was down makes one pipeline, also after further starts',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-schedules-'));
    let now = Date.now();
    let forgelog: Forgelog | undefined;
    const start = async () => {
      forgelog = await startForgelog({ dataDir, clock: () => new Date(now) });
      return forgelog;
    };
    onTestFinished(async () => {
      await forgelog?.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const told = async ({ system }: Forgelog) => {
      const events = await system.store.readAll({ after: '', limit: 1000 });
      const count = (wanted: string, source?: string) =>
        events.filter(({ type, data }) => type === wanted && (data as { source?: string }).source === source)
          .length;
      return [count('PipelineScheduleRan'), count('PipelineCreated', 'schedule')];
    };

    const first = await start();
    const { body: project } = await first.post('/projects', { name: 'Nightly' });
    const at = `/projects/${project.id}`;
    const content = 'build: {script: make}';
    await first.post(`${at}/repository/files/%2Egitlab-ci%2Eyml`, {
      ...{ branch: 'main', commit_message: 'Configure [skip ci]', content },
    });
    const nightly = { description: 'Nightly', ref: 'main', cron: '30 2 * * *' };
    expect((await first.post(`${at}/pipeline_schedules`, nightly)).status).toBe(201);
    expect(await told(first)).toEqual([0, 0]);
    await first.stop();

    now += 10 * DAY_MS;
    const second = await start();
    await eventually('the run makes a pipeline', () => told(second), {
      until: ([, pipelines]) => pipelines === 1,
    });
    expect(await told(second)).toEqual([1, 1]);
    await second.stop();

    const third = await start();
    await third.system.projectors.policiesIdle();
    expect(await told(third)).toEqual([1, 1]);
  },
);
