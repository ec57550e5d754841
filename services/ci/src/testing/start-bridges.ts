import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { type AppendedEvent, type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { asc } from '@forgelog/eventing/query.ts';
import { memberAdded, projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, team } from '@forgelog/testing/sample-team.ts';
import type { Reply } from '@forgelog/testing/start-slices.ts';
import { bridgePolicies } from '../bridges/bridge.policy.ts';
import { lostDownstreams } from '../bridges/lost-downstreams.policy.ts';
import { jobSlice } from '../jobs/job.slice.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { givenVariables } from '../pipelines/given-variables.ts';
import { type CreatePipeline, type PipelineCommand, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineSlice } from '../pipelines/pipeline.slice.ts';
import { type PipelineCreation, pipelineCreation } from '../pipelines/pipeline-creation.commands.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import type { BareCommand } from './acting-pipeline.ts';
import { createPipeline } from './sample-pipeline.ts';
import { startCiSlices } from './start-ci-slices.ts';

const UNSEEN = 9;
const OTHERS = [
  projectCreated(8),
  memberAdded(8, DEVELOPER, 30),
  projectCreated(UNSEEN),
  projectCreated(10),
  memberAdded(10, DEVELOPER, 20),
];
const BUILD = 'build: {script: make}';

interface Options {
  files?: Readonly<Record<string, string>>;
  other?: string;
  /** What happens while the second pipeline is made. */
  duringCreation?: (act: (command: BareCommand) => Promise<unknown>) => Promise<unknown>;
}

/** A pipeline of project 7 that starts pipelines of itself and of project 8. Policies react at once. */
export async function startBridges(
  configuration: string,
  { files = {}, other = BUILD, duringCreation }: Options = {},
) {
  const { ci, call } = await startCiSlices(
    [pipelineSlice, jobSlice],
    {
      7: { branches: { main: { '.gitlab-ci.yml': configuration, ...files } } },
      8: { branches: { main: { '.gitlab-ci.yml': other }, 'release/1': { '.gitlab-ci.yml': other } } },
      10: { branches: { main: { '.gitlab-ci.yml': other } } },
    },
    [...team, ...OTHERS],
  );
  const told: AppendedEvent[] = [];
  const commands: CommandHandler = {
    ...ci.commands,
    async handle(...args) {
      const handled = await ci.commands.handle(...args);
      told.push(...handled.events);
      return handled;
    },
  };
  const ports = { ...ci, commands };
  const creation: PipelineCreation = pipelineCreation(ports);
  const handle = (projectId: number, iid: number, command: BareCommand) => {
    const whole = { projectId, iid, ...command, now: new Date().toISOString() } as PipelineCommand;
    return commands.handle(pipelineDecider, pipelineStream({ projectId, iid }), whole, SYSTEM_METADATA);
  };
  const disturbed: PipelineCreation = {
    async create(pipeline) {
      const created = await creation.create(pipeline);
      await duringCreation?.((command) => handle(7, 1, command));
      return created;
    },
  };
  const policies = [...bridgePolicies({ ...ports, pipelineCreation: disturbed }), ...lostDownstreams(ports)];
  /** Each policy reacts twice, as after a kill. */
  async function settle() {
    for (let event = told.shift(); event; event = told.shift())
      for (const { handles, react } of [...policies, ...policies])
        if (handles.includes(event.type)) await react(event as RecordedEvent, new AbortController().signal);
  }
  const user = (await actingUser(ci.directory, DEVELOPER))!;
  await creation.create({
    ...{ projectId: 7, user, source: 'api', ref: 'main', invalid: 'refused' },
    variables: [{ key: 'GIVEN', value: 'by hand', type: 'env_var' }],
  });
  await settle();
  async function act(projectId: number, iid: number, command: BareCommand) {
    await handle(projectId, iid, command);
    await settle();
  }
  const listed = () => ci.readStore.find(pipelines, { limit: 50, sort: [asc('id')] });
  const bridges = async () =>
    (await ci.readStore.find(jobs, { limit: 50, sort: [asc('id')] }))
      .filter(({ kind }) => kind === 'bridge')
      .map(({ status, failureReason }) => (failureReason === null ? status : `${status}: ${failureReason}`));
  const opened = givenVariables(ci);
  const variables = async () =>
    (await listed())
      .slice(1)
      .map((row) =>
        Object.fromEntries(opened.open(row, row.sealedVariables).map(({ key, value }) => [key, value])),
      );
  /** What becomes of the bridge, some minutes after it was queued, where every creation fails like this. */
  async function retriedAfter(minutes: number, error: Error) {
    const broken = { create: () => Promise.reject(error) };
    const clock = () => new Date(Date.now() + minutes * 60_000);
    const [policy] = bridgePolicies({ ...ports, clock, pipelineCreation: broken });
    const data = { jobId: 90, kind: 'bridge', status: 'pending' };
    const event = { id: 'again', type: 'JobCreated', data, metadata: SYSTEM_METADATA };
    const place = { projectId: 7, iid: 1, now: new Date().toISOString() };
    const retry = { type: 'RetryJob', jobId: 1, newJobId: 90, userId: DEVELOPER, ...place } as const;
    await commands.handle(pipelineDecider, pipelineStream(place), retry, SYSTEM_METADATA);
    await policy!.react(event as unknown as RecordedEvent, new AbortController().signal);
  }
  /** The event of something else than a command of pipelines. */
  async function happened(type: string, data: object) {
    told.push({ id: newEventId(), type, data, metadata: SYSTEM_METADATA } as unknown as AppendedEvent);
    await settle();
  }
  /** Lets policies react to what a call of this user did. */
  async function relay({ events }: Pick<Reply, 'events'>, actorId: number) {
    const time = new Date().toISOString();
    const metadata = { ...SYSTEM_METADATA, actorId };
    for (const event of events)
      told.push({ ...event, id: newEventId(), time, metadata } as unknown as AppendedEvent);
    await settle();
  }
  /** Adds so many pipelines without jobs to a family. */
  async function fill(count: number, parent: NonNullable<CreatePipeline['parent']>) {
    for (let number = 1; number <= count; number += 1) {
      const place = { projectId: 8, iid: 100 + number, pipelineId: 1000 + number };
      const create = createPipeline([], { ...place, parent, source: 'pipeline' });
      await ci.commands.handle(pipelineDecider, pipelineStream(place), create, SYSTEM_METADATA);
    }
  }
  return {
    ...{ act, listed, bridges, variables, retriedAfter, happened, relay, fill, call },
    objects: ci.objects,
  };
}

/** A bridge to project 8. */
export const toOther = (more = '') => `deploy: {trigger: {project: user1/project8${more}}}`;
