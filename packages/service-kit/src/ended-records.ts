import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { endsOne } from '@forgelog/contracts/lifetime.ts';
import { lifetimes } from '@forgelog/contracts/lifetimes.ts';
import type { RecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type EndedRecords, isEndedRecords, unannouncedEndsOf } from '@forgelog/eventing/ended-records.ts';
import { causedBy, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { AnyCollection, ReadStore } from '@forgelog/eventing/read-store.ts';

interface TellEnded<Type extends string> {
  type: Type;
  data: { ownerKind: string; ownerId: number; projectId: number | null; counts: Record<string, number> };
}

/** Tells once: an owner ends once. */
const teller = <Type extends string>(): Decider<
  { told: boolean },
  TellEnded<Type>,
  DomainEvent<Type, TellEnded<Type>['data']>
> => ({
  initialState: { told: false },
  decide: ({ type, data }, { told }) => (told ? [] : [{ type, data }]),
  evolve: () => ({ told: true }),
});

/**
 * Adds the policy that tells how many records of the service ended with their owner. A deleted project can have 100,000
 * issues, which end by rule and without events. Projections count them, and one event tells the counts.
 */
export function tellingEndedRecords<
  S extends { projections: readonly Projection[]; policies: readonly Policy[] },
>(
  service: S,
  { type, service: name }: RecordsEnded,
  { commands, readStore }: { commands: CommandHandler; readStore: ReadStore },
): S {
  const collections: readonly AnyCollection[] = service.projections.flatMap(({ collections }) => collections);
  const counted = collections.filter(isEndedRecords) as EndedRecords[];
  const decider = teller<typeof type>();
  const handles = [...new Set(collections.flatMap(unannouncedEndsOf))];
  const policy: Policy = {
    name: `tell-ended-records-of-${name}`,
    handles,
    actsAs: Object.fromEntries(handles.map((type) => [type, 'actor' as const])),
    async react(event) {
      const where = eq('eventId', event.id);
      const found = await Promise.all(
        counted.map((collection) => readStore.find(collection, { where, limit: 100 })),
      );
      const counts = Object.fromEntries(found.flat().map(({ kind, count }) => [kind, count]));
      if (Object.keys(counts).length === 0) return;
      const { ownerKind, ownerId } = ownerOf(event);
      const stream = `${name}Ends-${ownerKind}-${ownerId}`;
      const { projectId = null } = event.data as { projectId?: number };
      const data = { ownerKind, ownerId, projectId, counts };
      await commands.handle(decider, stream, { type, data }, causedBy(event));
    },
  };
  return { ...service, policies: [...service.policies, policy] };
}

/** The record whose own end the event is. */
function ownerOf(event: RecordedEvent): { ownerKind: string; ownerId: number } {
  for (const lifetime of lifetimes)
    for (const ending of lifetime.ends)
      if (
        ending.event === event.type &&
        lifetime.id.length === 1 &&
        endsOne(lifetime, ending) &&
        // What ends only sometimes, as a thread with its last note, is not what the event is about.
        Object.keys(ending.ofEvent).length === 0
      ) {
        const ownerId = (event.data as Record<string, number>)[ending.match[lifetime.id[0]!]!]!;
        return { ownerKind: lifetime.kind, ownerId };
      }
  throw new Error(`${event.type} ends no record of its own, so that nothing can end with it`);
}
