import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { JobResult } from '../pipelines/job-transitions.ts';
import { type CreatePipeline, type PipelineCommand, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import type {
  JobFacts,
  Pipeline,
  PipelinePlace,
  PipelineState,
  PipelineStreamEvent,
} from '../pipelines/pipeline-state.ts';
import { createPipeline } from './sample-pipeline.ts';

type Bare<C> = C extends unknown ? Omit<C, keyof PipelinePlace | 'now'> : never;
export type BareCommand = Bare<PipelineCommand>;

/** Code and body of a refusal; undefined if nothing is refused. */
export function refusalOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Rejection) return `${error.code}: ${JSON.stringify(error.body)}`;
    throw error;
  }
}

/** A pipeline on which commands act one after the other, by a clock that is moved by hand. */
export function pipelineAt(jobs: readonly JobFacts[], given: Partial<CreatePipeline> = {}) {
  let state: PipelineState = pipelineDecider.initialState;
  let clock = Date.parse('2030-01-01T00:00:00.000Z');
  const events: PipelineStreamEvent[] = [];

  function act(command: BareCommand): readonly PipelineStreamEvent[] {
    const whole = { projectId: 7, iid: 1, ...command, now: new Date(clock).toISOString() };
    const decided = pipelineDecider.decide(whole as PipelineCommand, state);
    for (const event of decided) state = pipelineDecider.evolve(state, event);
    events.push(...decided);
    return decided;
  }

  const pipeline = () => state as Pipeline;
  const newest = (name: string) => pipeline().jobs.findLast(({ facts }) => facts.name === name)!;

  /** Ends a running job. */
  function end(name: string, outcome: 'success' | 'failed', result: Partial<JobResult> = {}) {
    const failureReason = outcome === 'failed' ? ('script_failure' as const) : null;
    const unknown = { exitCode: null, coverage: null, newJobId: null };
    act({
      type: 'CompleteJob',
      jobId: newest(name).id,
      ...unknown,
      failureReason,
      ...result,
      outcome,
    });
  }

  act(createPipeline(jobs, given));
  return {
    act,
    end,
    events,
    pipeline,
    state: () => state,
    wait: (seconds: number) => {
      clock += seconds * 1000;
    },
    run(name: string, outcome: 'success' | 'failed' = 'success', result: Partial<JobResult> = {}) {
      act({ type: 'StartJob', jobId: newest(name).id, runnerId: 5 });
      end(name, outcome, result);
    },
    status: (): CiStatus => pipeline().status,
    statuses: (): CiStatus[] => pipeline().jobs.map(({ status }) => status),
    all: () =>
      pipeline().jobs.map(({ id, facts, status, isRetried }) => ({
        id,
        name: facts.name,
        status,
        isRetried,
      })),
  };
}
