import { given } from '@forgelog/testing/given-decider.ts';
import { describe, expect, test } from 'vitest';
import { createPipeline, jobFacts, need } from '../testing/sample-pipeline.ts';
import { type PipelineCommand, pipelineDecider } from './pipeline.decider.ts';
import type { Pipeline, PipelineState, PipelineStreamEvent } from './pipeline-state.ts';

const place = { projectId: 7, iid: 1, now: '2030-01-01T00:00:00.000Z' };
const report = (state: string, more: object = {}) =>
  ({
    ...{ type: 'ReportStatus', ...place, newJobId: 50, userId: 3, name: 'scanner', state, ...more },
  }) as PipelineCommand;
const act = (command: object) => ({ ...place, ...command }) as PipelineCommand;

/** The pipeline after these commands. */
function after(...commands: PipelineCommand[]): Pipeline {
  const run = (state: PipelineState, command: PipelineCommand) =>
    pipelineDecider.decide(command, state).reduce(pipelineDecider.evolve, state);
  return commands.reduce(run, pipelineDecider.initialState) as Pipeline;
}
const shown = ({ status, jobs }: Pipeline) => [
  status,
  ...jobs.filter(({ isRetried }) => !isRetried).map((job) => `${job.facts.name} ${job.status}`),
];

const external = createPipeline([], {
  source: 'external',
  report: { newJobId: 9, userId: 3, name: 'scanner', state: 'pending' },
});
const passing = [
  createPipeline([jobFacts('build')]),
  act({ type: 'StartJob', jobId: 1, runnerId: 5 }),
  act({
    ...{ type: 'CompleteJob', jobId: 1, outcome: 'success', failureReason: null },
    ...{ exitCode: 0, coverage: null, newJobId: null },
  }),
];

describe('a pipeline of another system', () => {
  test.each([
    ['pending', 'pending'],
    ['running', 'running'],
    ['success', 'success'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ])('is %s as its first status says', (state, status) => {
    const first = { newJobId: 9, userId: 3, name: 'scanner', state } as const;
    const made = after(createPipeline([], { source: 'external', report: first as never }));
    expect(shown(made)).toEqual([status, `scanner ${status}`]);
  });

  test('is summed up over the newest status of each name', () => {
    const commands = [external, report('success', { name: 'linter' }), report('running')];
    expect(shown(after(...commands))).toEqual(['running', 'scanner running', 'linter success']);
    const ended = after(...commands, report('failed'));
    expect(shown(ended)).toEqual(['failed', 'scanner failed', 'linter success']);
    expect(ended.jobs[0]!.failureReason).toBe('api_failure');
    const again = after(...commands, report('failed'), report('success', { newJobId: 51 }));
    expect(shown(again)).toEqual(['success', 'linter success', 'scanner success']);
    expect(again.jobs.filter(({ isRetried }) => isRetried).map(({ id }) => id)).toEqual([9]);
  });
});

test.each([
  ['pending', 'pending', 'enqueue'],
  ['running', 'pending', 'enqueue'],
  ['running', 'running', 'run'],
])('what is %s does not become %s', (before, state, event) => {
  const commands = before === 'pending' ? [external] : [external, report('running')];
  expect(() => after(...commands, report(state))).toThrow(
    expect.objectContaining({
      body: {
        message: `Cannot transition status via :${event} from :${before} (Reason(s): Status cannot transition via "${event}")`,
      },
    }),
  );
});

test('a status counts into the pipeline of a configuration, and its jobs do not wait for it', () => {
  expect(after(...passing).status).toBe('success');
  expect(shown(after(...passing, report('failed')))).toEqual(['failed', 'build success', 'scanner failed']);
  expect(shown(after(...passing, report('running')))[0]).toBe('running');
});

test('a status of the name of a job is not what other jobs need', () => {
  const jobs = [jobFacts('build'), jobFacts('test', { stageIndex: 1, needs: [need('build')] })];
  const state = after(createPipeline(jobs), report('failed', { name: 'build' }));
  expect(shown(state)).toEqual(['running', 'build pending', 'test created', 'build failed']);
});

test('a status makes no valid pipeline of an invalid configuration', () => {
  const invalid = createPipeline([], { yamlErrors: 'jobs are missing' });
  expect(after(invalid, report('success')).status).toBe('failed');
});

test('a pipeline that is retried or canceled leaves to other systems what is theirs', () => {
  const retry = act({ type: 'RetryPipeline', newJobIds: [60, 61], userId: 3 });
  expect(shown(after(external, report('failed'), retry))).toEqual(['failed', 'scanner failed']);
  expect(shown(after(external, act({ type: 'CancelPipeline' })))).toEqual(['canceled', 'scanner canceled']);
});

test('what the system says is kept, and only what changes is told', () => {
  const said = { targetUrl: 'https://scanner.example/1', description: 'Looks', coverage: 80 };
  const first = after(external, report('running', said));
  expect(first.jobs[0]).toMatchObject(said);
  const events = pipelineDecider.decide(report('success', { ...said, description: null }), first);
  expect(events.map(({ type }) => type)).toEqual(['JobDescribed', 'JobSucceeded', 'PipelineStatusChanged']);
  expect((events[0] as Extract<PipelineStreamEvent, { type: 'JobDescribed' }>).data).toMatchObject({
    changes: { description: null },
    previous: { description: 'Looks' },
  });
});

test('a deleted pipeline takes no status', () => {
  given(pipelineDecider, ...pipelineDecider.decide(external, { existence: 'absent' }), {
    type: 'PipelineDeleted',
    data: { pipelineId: 1, projectId: 7, iid: 1 },
  })
    .when(report('success'))
    .thenRejected('record_not_found');
});
