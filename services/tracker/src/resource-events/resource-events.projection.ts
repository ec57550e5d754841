import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets } from '../targets/target-readers.projection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { resourceEventNumbering, resourceEvents } from './resource-events.collection.ts';
import { toldChanges } from './told-changes.ts';

const rules = new Map(toldChanges.map(({ type, read }) => [type, read]));

export const resourceEventsProjection = (kinds: readonly TargetKind[]) =>
  defineProjection<DomainEvent>({
    name: 'resource-events',
    collections: [resourceEvents, resourceEventNumbering],
    handles: [...rules.keys()],
    endings: endingWithTargets(kinds, resourceEvents, (target) => eq('target', targetKey(target))),
    async project(event, documents) {
      const { target, actorId, told } = rules.get(event.type)!(event);
      if (told.length === 0) return;
      const numbering = await documents.get(resourceEventNumbering, 'events');
      // This event has its numbers already: it is applied for the second time.
      if (numbering && event.position <= numbering.position) return;
      const lastId = numbering?.lastId ?? 0;
      documents.put(resourceEventNumbering, {
        ...{ name: 'events', lastId: lastId + told.length, position: event.position },
      });
      for (const [at, one] of told.entries())
        documents.put(resourceEvents, {
          ...{ id: lastId + 1 + at, ...one, actorId, createdAt: event.time },
          target: targetKey(target),
          targetType: target.type,
          targetId: target.id,
          projectId: target.projectId,
        });
    },
  });
