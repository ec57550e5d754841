import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { type OpenMembership, openMemberships } from './open-memberships.projection.ts';
import { projectMemberDecider, projectMemberStream } from './project-member.decider.ts';

/** A removal copies the members of its place, so that a large batch would block other requests. */
const BATCH = 100;

/** Appends the end of each open membership that matches, place by place. Safe to repeat, also at the same time. */
export async function endMemberships(
  ports: Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>,
  ends: { where: Condition; reason: 'expired' | 'deleted'; metadata: EventMetadata; signal: AbortSignal },
): Promise<void> {
  const { where, reason, metadata, signal } = ends;
  const { commands, readStore } = ports;
  const day = today(ports);
  for await (const found of inBatches(readStore, openMemberships, { where, size: BATCH }))
    for (const rows of Map.groupBy(found, placeOf).values()) {
      signal.throwIfAborted();
      const { source, sourceId: id } = rows[0]!;
      const which = { userIds: rows.map(({ userId }) => userId), reason, today: day } as const;
      await (source === 'group'
        ? commands.handle(
            groupDecider,
            groupStream(id),
            { type: 'EndGroupMembers', groupId: id, ...which },
            metadata,
          )
        : commands.handle(
            projectMemberDecider,
            projectMemberStream(id),
            { type: 'EndProjectMembers', projectId: id, ...which },
            metadata,
          ));
    }
}

const placeOf = ({ source, sourceId }: OpenMembership): string => `${source}-${sourceId}`;
