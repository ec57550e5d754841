import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { RunnerEnabledForProject, RunnerRegistered } from '@forgelog/contracts/ci/runners/runner.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq, has } from '@forgelog/eventing/query.ts';
import { type RunnerCommand, runnerDecider, runnerStream } from './runner.decider.ts';
import { runners } from './runners.projection.ts';

const BATCH = 500;

export function runnerPolicies(ports: ServicePorts): Policy[] {
  const { commands, directory, readStore } = ports;

  const handle = (command: RunnerCommand, { metadata }: Reaction) =>
    commands.handle(runnerDecider, runnerStream(command.runnerId), command, metadata);

  async function leaveProject(projectId: number, reaction: Reaction): Promise<void> {
    const where = has('projectIds', projectId);
    for await (const found of inBatches(readStore, runners, { where, size: BATCH }))
      for (const { id: runnerId } of found) {
        reaction.signal.throwIfAborted();
        await handle({ type: 'LeaveDeletedProject', runnerId, projectId }, reaction);
      }
  }

  async function removeOfGroup(groupId: number, reaction: Reaction): Promise<void> {
    const where = eq('groupId', groupId);
    for await (const found of inBatches(readStore, runners, { where, size: BATCH }))
      for (const { id: runnerId } of found) {
        reaction.signal.throwIfAborted();
        await handle({ type: 'RemoveRunner', runnerId, reason: 'deleted', evenIfShared: true }, reaction);
      }
  }

  return [
    definePolicy({
      name: 'end-runners-of-deleted',
      handles: [ProjectDeleted, GroupDeleted],
      actsAs: 'actor',
      async react({ type, data }, reaction) {
        if (type === 'ProjectDeleted') await leaveProject(data.projectId, reaction);
        else await removeOfGroup(data.groupId, reaction);
      },
    }),
    definePolicy({
      /** One that came while its project or group was being deleted. */
      name: 'end-runners-in-deleted',
      handles: [RunnerRegistered, RunnerEnabledForProject],
      actsAs: 'system',
      async react({ type, data }, reaction) {
        if (type === 'RunnerEnabledForProject') {
          if (!(await directory.project(data.projectId))) await leaveProject(data.projectId, reaction);
        } else if (data.groupId !== null && !(await directory.namespace(data.groupId)))
          await removeOfGroup(data.groupId, reaction);
      },
    }),
  ];
}
