import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BareCommand, pipelineAt, refusalOf } from '../testing/acting-pipeline.ts';
import { createPipeline, jobFacts, need } from '../testing/sample-pipeline.ts';
import { pipelineDecider } from './pipeline.decider.ts';
import type { JobFacts, Pipeline, PipelineStreamEvent } from './pipeline-state.ts';
import { settledStatuses } from './settlement.ts';

const STAGES = 3;

/** Pipelines of up to ten jobs with conditions, needs, retries and allowed failures of every kind. */
const graphs = fc
  .array(
    fc.record({
      stageIndex: fc.nat(STAGES - 1),
      when: fc.constantFrom<JobFacts['when']>(
        'on_success',
        'on_success',
        'on_failure',
        'always',
        'manual',
        'delayed',
      ),
      allowFailure: fc.boolean(),
      needs: fc.option(fc.array(fc.nat(9), { maxLength: 3 }), { nil: null }),
      retryMax: fc.nat(2),
      interruptible: fc.boolean(),
      resourceGroup: fc.option(fc.constant('production'), { nil: null }),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((jobs) =>
    jobs
      .toSorted((a, b) => a.stageIndex - b.stageIndex)
      .map(({ needs, retryMax, when, ...facts }, index) =>
        jobFacts(`job ${index}`, {
          ...facts,
          when,
          startIn: when === 'delayed' ? 60 : null,
          // Only jobs before it, so that there is no circle.
          needs:
            needs &&
            [...new Set(needs.map((at) => at % (index + 1)))].map((at) => need(`job ${at}`, at === index)),
          retry: { max: retryMax, when: ['always'] },
        }),
      ),
  )
  .map((jobs) =>
    jobs.map((job) => ({ ...job, needs: job.needs?.filter((one) => one.job !== job.name) ?? null })),
  );

type Step = {
  act:
    | 'start'
    | 'pass'
    | 'fail'
    | 'cancel'
    | 'retry'
    | 'play'
    | 'due'
    | 'grant'
    | 'drop'
    | 'return'
    | 'reopen'
    | 'retryAll'
    | 'cancelAll';
  at: number;
};
const steps = fc.array(
  fc.record({
    act: fc.constantFrom<Step['act']>(
      ...([
        'start',
        'start',
        'start',
        'pass',
        'pass',
        'fail',
        'cancel',
        'retry',
        'play',
        'due',
        'grant',
        'drop',
        'return',
        'reopen',
      ] as const),
      ...(['retryAll', 'cancelAll'] as const),
    ),
    at: fc.nat(40),
  }),
  { maxLength: 80 },
);

const result = { exitCode: null, coverage: null };

function commandOf({ act, at }: Step, pipeline: Pipeline, newJobId: number): BareCommand {
  const jobId = pipeline.jobs[at % pipeline.jobs.length]!.id;
  switch (act) {
    case 'start':
      return { type: 'StartJob', jobId, runnerId: at };
    case 'pass':
      return {
        type: 'CompleteJob',
        jobId,
        ...result,
        outcome: 'success',
        failureReason: null,
        newJobId: null,
      };
    case 'fail':
      return {
        type: 'CompleteJob',
        jobId,
        ...result,
        outcome: 'failed',
        failureReason: 'script_failure',
        newJobId,
      };
    case 'drop':
      return { type: 'DropJob', jobId, from: 'running', failureReason: 'job_execution_timeout', newJobId };
    case 'return':
      return { type: 'ReturnJob', jobId, runnerId: at };
    case 'reopen':
      return { type: 'ReopenBridge', jobId };
    case 'cancel':
      return { type: 'CancelJob', jobId };
    case 'retry':
      return { type: 'RetryJob', jobId, newJobId, userId: 4 };
    case 'play':
      return { type: 'PlayJob', jobId, newJobId, userId: 4, sealedVariables: null };
    case 'due':
      return { type: 'QueueDueJob', jobId };
    case 'grant':
      return { type: 'GrantResource', jobId };
    case 'retryAll':
      return {
        type: 'RetryPipeline',
        newJobIds: Array.from({ length: 20 }, (_, n) => newJobId + n),
        userId: 4,
      };
    case 'cancelAll':
      return { type: 'CancelPipeline' };
    default:
      return act satisfies never;
  }
}

const ENDED = ['success', 'failed', 'canceled', 'skipped'];

/** Plays on until nothing can happen any more, in the order that `pick` gives. */
function playOut(
  at: ReturnType<typeof pipelineAt>,
  pick: (count: number) => number,
  failing: ReadonlySet<string>,
) {
  for (let round = 0; round < 500; round++) {
    at.wait(60);
    const moves = at
      .pipeline()
      .jobs.filter(
        ({ isRetried, status }) =>
          !isRetried &&
          ['pending', 'running', 'manual', 'scheduled', 'waiting_for_resource'].includes(status),
      );
    if (moves.length === 0) return;
    const job = moves[pick(moves.length)]!;
    const jobId = job.id;
    if (job.status === 'pending') at.act({ type: 'StartJob', jobId, runnerId: 1 });
    else if (job.status === 'manual')
      at.act({ type: 'PlayJob', jobId, newJobId: 0, userId: 1, sealedVariables: null });
    else if (job.status === 'scheduled') at.act({ type: 'QueueDueJob', jobId });
    else if (job.status === 'waiting_for_resource') at.act({ type: 'GrantResource', jobId });
    else at.end(job.facts.name, failing.has(job.facts.name) ? 'failed' : 'success');
  }
  throw new Error('the pipeline does not end');
}

const isStep = (type: PipelineStreamEvent['type'], data: object) =>
  type.startsWith('Job') && 'changes' in data && 'status' in (data.changes as object);

test('whatever comes in whatever order, each job runs once at a time, and each change of status is one event', () => {
  fc.assert(
    fc.property(graphs, steps, (jobs, walk) => {
      const at = pipelineAt(jobs);
      let newJobId = 1000;
      for (const step of walk) {
        const before = at.pipeline();
        const known = at.events.length;
        at.wait(30);
        newJobId += 20;
        refusalOf(() => at.act(commandOf(step, before, newJobId)));
        const after = at.pipeline();
        const fresh = at.events.slice(known);
        for (const job of after.jobs) {
          const was = before.jobs.find(({ id }) => id === job.id);
          const moves = fresh.filter(
            ({ type, data }) => isStep(type, data) && (data as { jobId: number }).jobId === job.id,
          );
          if (was) expect(moves.length).toBe(was.status === job.status ? 0 : 1);
          if (was && ENDED.slice(0, 3).includes(was.status)) expect(job.status).toBe(was.status);
        }
        for (const { name } of jobs) {
          const runs = after.jobs.filter(({ facts, isRetried }) => facts.name === name && !isRetried);
          expect(runs).toHaveLength(1);
          expect(
            after.jobs.filter(({ facts, status }) => facts.name === name && status === 'running').length,
          ).toBeLessThan(2);
        }
        // Nothing that could go on is left behind.
        const newest = after.jobs.filter(({ isRetried }) => !isRetried);
        expect(settledStatuses(newest)).toEqual(newest.map(({ status }) => status));
      }
    }),
    { numRuns: 300 },
  );
});

test('a state that is folded from events is the state that was decided on', () => {
  fc.assert(
    fc.property(graphs, steps, (jobs, walk) => {
      const at = pipelineAt(jobs);
      walk.forEach((step, index) => {
        refusalOf(() => at.act(commandOf(step, at.pipeline(), 1000 + index * 20)));
      });
      const stored = JSON.parse(JSON.stringify(at.events)) as PipelineStreamEvent[];
      const folded = stored.reduce(pipelineDecider.evolve, pipelineDecider.initialState);
      expect(folded).toEqual(at.state());
    }),
    { numRuns: 100 },
  );
});

test('the order in which jobs run does not change how a pipeline ends', () => {
  fc.assert(
    fc.property(
      graphs,
      fc.array(fc.nat(9)),
      fc.infiniteStream(fc.nat()),
      fc.infiniteStream(fc.nat()),
      (jobs, failed, one, other) => {
        const failing = new Set(failed.map((index) => `job ${index}`));
        // What runs by hand may also be left alone, so its place in time is a choice and not an interleaving.
        const automatic = jobs.map((job) => ({
          ...job,
          when: job.when === 'manual' ? ('on_success' as const) : job.when,
        }));
        const ends = [one, other].map((stream) => {
          const at = pipelineAt(automatic);
          playOut(at, (count) => (stream.next().value as number) % count, failing);
          const newest = at.pipeline().jobs.filter(({ isRetried }) => !isRetried);
          return [at.status(), newest.map(({ facts, status }) => [facts.name, status])];
        });
        expect(ends[0]).toEqual(ends[1]);
      },
    ),
    { numRuns: 300 },
  );
});

test('after any interleaving a pipeline comes to an end', () => {
  fc.assert(
    fc.property(graphs, steps, fc.infiniteStream(fc.nat()), (jobs, walk, stream) => {
      const at = pipelineAt(jobs);
      walk.forEach((step, index) => {
        refusalOf(() => at.act(commandOf(step, at.pipeline(), 1000 + index * 20)));
      });
      playOut(at, (count) => (stream.next().value as number) % count, new Set());
      expect(ENDED).toContain(at.status());
      expect(at.pipeline().jobs.every(({ status }) => ENDED.includes(status))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a command on a thousand jobs copies no more than it changes', () => {
  const jobs = Array.from({ length: 1000 }, (_, index) => jobFacts(`job ${index}`));
  const at = pipelineAt(jobs);
  const before = at.pipeline();
  at.run('job 500');
  const changed = at.pipeline().jobs.filter((job, index) => job !== before.jobs[index]);
  expect(changed.map(({ facts }) => facts.name)).toEqual(['job 500']);
  expect(at.pipeline().jobs[500]!.facts).toBe(before.jobs[500]!.facts);
  expect(createPipeline(jobs).jobs).toHaveLength(1000);
});
