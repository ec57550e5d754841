import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { PushReceived } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { readPushVariables } from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { GivenVariable } from './given-variables.ts';
import { isPassing } from './passing-failure.ts';
import type { PipelineCreation } from './pipeline-creation.commands.ts';

/** Refs of one push that get a pipeline, the first ones; as upstream. */
const MOST_REFS = 4;
/** An older push makes none: a policy that starts for the first time reads the whole log. */
const MOST_AGE_MS = 24 * 60 * 60_000;

/** A storage that fails longer than this holds up the pipelines of other storages no more. */
const MOST_WAIT_MS = 15 * 60_000;

const LOST_VALUES =
  'The values of the variables that were given with the push are lost, because the server has been restarted. Push again, or run a pipeline with variables.';

/** Creates the pipelines of branches and tags that a push, a commit or any other request has moved. */
export function pushedPipelines(
  ports: Pick<ServicePorts, 'clock' | 'directory' | 'log' | 'operations'> & {
    pipelineCreation: PipelineCreation;
  },
): Policy[] {
  const { clock, directory, log, operations, pipelineCreation } = ports;
  const failingSince = new Map<string, number>();

  const storageOf = async (projectId: number) => (await directory.project(projectId))?.storage ?? '';
  const succeeded = async (projectId: number) => failingSince.delete(await storageOf(projectId));

  async function mayWait(projectId: number): Promise<boolean> {
    const storage = await storageOf(projectId);
    const now = clock().getTime();
    const since = failingSince.get(storage) ?? now;
    failingSince.set(storage, since);
    return now - since <= MOST_WAIT_MS;
  }

  async function pusherOf({
    actorId,
    onBehalfBy,
    credential,
  }: EventMetadata): Promise<Principal | undefined> {
    return actorId === null
      ? undefined
      : actingUser(directory, actorId, { ...(credential && { credential }), onBehalfBy });
  }

  /** Null where values are gone. */
  async function variablesOf(
    { projectId, pushId, pushOptions }: Pushed,
    principal: Principal,
  ): Promise<GivenVariable[] | null> {
    if (!pushOptions.some((option) => option.startsWith('ci.variable='))) return [];
    const { variables } = await operations.call(readPushVariables, { projectId, pushId }, { principal });
    return variables?.map((variable) => ({ ...variable, type: 'env_var' as const })) ?? null;
  }

  async function react(
    event: { id: string; time: string; data: Pushed; metadata: EventMetadata },
    reaction: Reaction,
  ) {
    const { data } = event;
    const { projectId, pushOptions } = data;
    const moved = data.refs.filter(({ kind, change }) => kind !== 'other' && change !== 'deleted');
    if (moved.length === 0) return;
    const isSkipped = pushOptions.some((option) => /^ci\.skip(=|$)/.test(option));
    if (clock().getTime() - Date.parse(event.time) > MOST_AGE_MS) return;
    const user = await pusherOf(event.metadata);
    if (!user) return;
    for (const { ref, oldOid, newOid } of moved.slice(0, MOST_REFS)) {
      if (reaction.signal.aborted) return;
      try {
        const variables = await variablesOf(data, user);
        await pipelineCreation.create({
          ...{ projectId, user, ref, sha: newOid, beforeSha: oldOid },
          ...{ source: 'push', causeId: event.id, heedsMessage: true, isSkipped, invalid: 'recorded' },
          variables: variables ?? [],
          ...(variables ? {} : { failure: LOST_VALUES }),
          metadata: reaction.metadata,
        });
        await succeeded(projectId);
      } catch (error) {
        if (reaction.signal.aborted || (isPassing(error) && (await mayWait(projectId)))) throw error;
        // Whatever is wrong with one project must not hold up the others.
        if (error instanceof Rejection && !isPassing(error))
          log.debug({ projectId, ref, reason: error.body }, 'no pipeline for a push');
        else log.error({ err: error, projectId, ref }, 'no pipeline for a push');
      }
    }
  }

  return [definePolicy({ name: 'pushed-pipelines', handles: [PushReceived], actsAs: 'system', react })];
}

type Pushed = EventOf<typeof PushReceived>['data'];
