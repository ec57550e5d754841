import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { type IterationCommand, iterationDecider, iterationsStream } from './iteration.decider.ts';

type Ports = Pick<ServicePorts, 'commands' | 'ids'>;

type Scheduling = Extract<IterationCommand, { iterationIds: readonly number[] }>;
type Without<Command> = Command extends Scheduling ? Omit<Command, 'iterationIds'> : never;

/** More ids than a cadence ever lacks iterations. */
const SOME_IDS = Array.from({ length: 20 }, (_, at) => -1 - at);

/** Takes as many ids as there are iterations to make, and none for what is refused. */
export async function handleScheduling(
  { commands, ids }: Ports,
  command: Without<Scheduling>,
  metadata: EventMetadata,
): Promise<void> {
  const stream = iterationsStream(command.groupId);
  const { state } = await commands.load(iterationDecider, stream);
  const events = iterationDecider.decide({ ...command, iterationIds: SOME_IDS } as Scheduling, state);
  if (events.length === 0) return;
  const count = events.filter(({ type }) => type === 'IterationCreated').length;
  const iterationIds: number[] = [];
  while (iterationIds.length < count) iterationIds.push(await ids.next('iteration'));
  await commands.handle(iterationDecider, stream, { ...command, iterationIds } as Scheduling, metadata);
}
