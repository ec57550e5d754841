import {
  createPipelineSchedule,
  createPipelineScheduleVariable,
  deletePipelineSchedule,
  getPipelineSchedule,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.api.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { DEVELOPER, OUTSIDER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobSlice } from '../jobs/job.slice.ts';
import { givenVariables } from '../pipelines/given-variables.ts';
import { pipelineSlice } from '../pipelines/pipeline.slice.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { pipelineScheduleDecider } from './pipeline-schedule.decider.ts';
import { pipelineScheduleSlice } from './pipeline-schedule.slice.ts';
import { scheduledPipelinePolicies } from './scheduled-pipelines.policy.ts';

const nightly = { id: 7, description: 'Nightly', ref: 'main', cron: '30 2 * * *' };

async function start(content = 'build: {script: make}') {
  const { ci, call } = await startCiSlices(
    [pipelineSlice, jobSlice, pipelineScheduleSlice],
    { 7: { branches: { main: { '.gitlab-ci.yml': content } } } },
    team,
  );
  await call(createPipelineSchedule, nightly, DEVELOPER);
  const [policy] = scheduledPipelinePolicies(ci);
  const ran = (userId = DEVELOPER) =>
    ({
      ...{ type: 'PipelineScheduleRan', id: newEventId(), metadata: SYSTEM_METADATA },
      data: { pipelineScheduleId: 1, projectId: 7, userId },
    }) as RecordedEvent;
  const react = (event: RecordedEvent) => policy!.react(event, new AbortController().signal);
  return { ci, call, ran, react, all: () => ci.readStore.find(pipelines, { limit: 10 }) };
}

test('a run makes one pipeline with the variables of the schedule, however often it is told', async () => {
  const { ci, call, ran, react, all } = await start();
  const variable = { key: 'LEVEL', value: 'full' };
  await call(createPipelineScheduleVariable, { id: 7, pipeline_schedule_id: 1, ...variable }, DEVELOPER);
  const event = ran();
  await react(event);
  await Promise.all([react(event), react(event)]);
  const [pipeline, ...others] = await all();
  expect(others).toEqual([]);
  expect(pipeline).toMatchObject({
    ...{ source: 'schedule', ref: 'main', actorId: DEVELOPER, causeId: event.id, status: 'pending' },
  });
  expect(givenVariables(ci).open({ projectId: 7, iid: 1 }, pipeline!.sealedVariables)).toEqual([
    { ...variable, type: 'env_var' },
  ]);
  await react(ran());
  expect(await all()).toHaveLength(2);
});

test('a schedule shows the pipeline of its last run', async () => {
  const { ci, call, react } = await start();
  const one = { id: 7, pipeline_schedule_id: 1 };
  const shown = async () => (await call(getPipelineSchedule, one, DEVELOPER)).body.last_pipeline;
  expect(await shown()).toBeNull();
  const play = {
    type: 'PlayPipelineSchedule',
    pipelineScheduleId: 1,
    projectId: 7,
    userId: DEVELOPER,
  } as const;
  for (const id of [1, 2]) {
    const { events } = await ci.commands.handle(
      ...([pipelineScheduleDecider, 'pipelineSchedule-1', play, SYSTEM_METADATA] as const),
    );
    await react(events[0] as RecordedEvent);
    expect(await shown()).toMatchObject({ id, ref: 'main', status: 'pending' });
  }
});

test('an invalid configuration is a failed pipeline', async () => {
  const { ran, react, all } = await start('build: {skript: make}');
  await react(ran());
  expect(await all()).toMatchObject([{ source: 'schedule', hasYamlErrors: true }]);
});

test('a run without the right, the branch or the schedule makes nothing, and holds up no other', async () => {
  const { call, ran, react, all } = await start();
  await react(ran(OUTSIDER));
  await react(ran(999));
  await call(createPipelineSchedule, { ...nightly, ref: 'gone' }, DEVELOPER);
  const gone = ran();
  await react({ ...gone, data: { ...(gone.data as object), pipelineScheduleId: 2 } });
  await call(deletePipelineSchedule, { id: 7, pipeline_schedule_id: 1 }, DEVELOPER);
  await react(ran());
  expect(await all()).toEqual([]);
});
