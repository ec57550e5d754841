import type { runnerAttributes } from '@forgelog/contracts/ci/runners/runner.params.ts';
import type { Decoded } from '@forgelog/contracts/params.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { type RunnerAttributes, type RunnerPlace, runnerDecider, runnerStream } from './runner.decider.ts';
import { newRunnerToken } from './runner-tokens.ts';

type Given = Decoded<typeof runnerAttributes>;

/** What was given of a runner, by the names of its events. */
export function attributesOf(given: Given) {
  const { tag_list: tags, active = given.paused === undefined ? undefined : !given.paused } = given;
  return {
    description: given.description,
    active,
    tags: tags && [...new Set(tags.filter((tag) => tag !== undefined && tag !== ''))].map(String),
    runUntagged: given.run_untagged,
    locked: given.locked,
    accessLevel: given.access_level,
    maximumTimeout: given.maximum_timeout,
  };
}

/** @returns the token, which is stored nowhere */
export async function register(
  { commands, ids }: Pick<ServicePorts, 'commands' | 'ids'>,
  place: RunnerPlace,
  given: Given & { run_untagged: boolean },
  metadata: EventMetadata,
): Promise<{ id: number; token: string }> {
  const { description, active, tags, locked, accessLevel, maximumTimeout } = attributesOf(given);
  const attributes: RunnerAttributes = {
    description: description ?? '',
    active: active ?? true,
    tags: tags ?? [],
    runUntagged: given.run_untagged,
    locked: locked === true && place.runnerType === 'project_type',
    accessLevel: accessLevel ?? 'not_protected',
    maximumTimeout: maximumTimeout ?? null,
  };
  const { token, sha256: tokenSha256 } = newRunnerToken();
  const commandFor = (runnerId: number) =>
    ({ type: 'RegisterRunner', runnerId, place, attributes, tokenSha256 }) as const;
  // Validate before reserving an id.
  runnerDecider.decide(commandFor(0), runnerDecider.initialState);
  const id = await ids.next('runner');
  await commands.handle(runnerDecider, runnerStream(id), commandFor(id), metadata, { mustBeNew: true });
  return { id, token };
}
