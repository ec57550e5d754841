import type { EventOf } from '@forgelog/contracts/event.ts';
import { PushReceived } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { readPushVariables } from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import {
  listMergeRequestsOfBranch,
  type MergeRequestFacts,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { GivenVariable } from './given-variables.ts';
import { hasOwnPipelines } from './merge-request-pipeline.ts';
import { type AttemptPorts, pipelineAttempts } from './pipeline-attempts.ts';
import type { NewPipeline } from './pipeline-creation.commands.ts';

/** Refs of one push that get a pipeline, the first ones; as upstream. */
const MOST_REFS = 4;
/** An older push makes none: a policy that starts for the first time reads the whole log. */
const MOST_AGE_MS = 24 * 60 * 60_000;

const LOST_VALUES =
  'The values of the variables that were given with the push are lost, because the server has been restarted. Push again, or run a pipeline with variables.';

/** Creates the pipelines of branches and tags that a push, a commit or any other request has moved. */
export function pushedPipelines(ports: AttemptPorts & Pick<ServicePorts, 'operations'>): Policy[] {
  const { clock, directory, operations } = ports;
  const attempt = pipelineAttempts(ports);

  async function pusherOf({
    actorId,
    onBehalfBy,
    credential,
  }: EventMetadata): Promise<Principal | undefined> {
    return actorId === null
      ? undefined
      : actingUser(directory, actorId, { ...(credential && { credential }), onBehalfBy });
  }

  async function openRequestsOf(sourceProjectId: number, ref: string): Promise<MergeRequestFacts[]> {
    const asked = { sourceProjectId, sourceBranch: ref.replace(/^refs\/heads\//, '') };
    return (await operations.call(listMergeRequestsOfBranch, asked, { principal: null })).mergeRequests;
  }

  const shortNames = (requests: readonly MergeRequestFacts[]) =>
    Promise.all(
      requests.map(async ({ projectId, iid }) => `${(await directory.project(projectId))?.fullPath}!${iid}`),
    );

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
    for (const { ref, kind, oldOid, newOid } of moved.slice(0, MOST_REFS)) {
      if (reaction.signal.aborted) return;
      const pushed: Pick<NewPipeline, 'projectId' | 'ref'> & Partial<NewPipeline> = {
        ...{ projectId, ref, sha: newOid, causeId: event.id, heedsMessage: true, isSkipped },
      };
      const requests = kind === 'branch' ? await openRequestsOf(projectId, ref) : [];
      await attempt(reaction, pushed, async () => {
        const variables = await variablesOf(data, user);
        return {
          ...{ ...pushed, projectId, ref, user, source: 'push', invalid: 'recorded', beforeSha: oldOid },
          openMergeRequests: await shortNames(requests),
          variables: variables ?? [],
          ...(variables ? {} : { failure: LOST_VALUES }),
          metadata: reaction.metadata,
        };
      });
      for (const request of requests.filter(hasOwnPipelines)) {
        // What the branch is at now may be newer.
        const mergeRequest = { ...request, sha: newOid };
        await attempt(reaction, pushed, async () => ({
          ...{ ...pushed, projectId, ref, user, source: 'merge_request_event', invalid: 'recorded' },
          ...{ mergeRequest, metadata: reaction.metadata },
        }));
      }
    }
  }

  return [definePolicy({ name: 'pushed-pipelines', handles: [PushReceived], actsAs: 'system', react })];
}

type Pushed = EventOf<typeof PushReceived>['data'];
