import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Ending } from '@forgelog/eventing/define-projection.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { type Condition, eq } from '@forgelog/eventing/query.ts';
import {
  type AnyCollection,
  type DocumentOf,
  defineCollection,
  endsWith,
} from '@forgelog/eventing/read-store.ts';
import type { EventRule, TargetEvents, TargetKind } from './target.ts';
import { type TargetRef, targetKey } from './target-ref.ts';

/** A collection that holds who may read each target. Each projection that needs it has one of its own. */
const readersCollection = (name: string) =>
  defineCollection({
    name,
    key: 'key',
    fields: {
      key: 'text',
      projectId: 'integer',
      authorId: 'integer',
      assigneeIds: 'integer[]',
      confidential: 'boolean',
    },
    indexes: [['projectId']],
    ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
  });

export type TargetReaders = DocumentOf<ReturnType<typeof readersCollection>>;

interface ChangedReaders {
  target: Pick<TargetRef, 'type' | 'id'>;
  readers: TargetReaders;
}

/** The part of a projection that keeps, in a collection of this name, who may read each target. */
export function keepReaders(name: string, kinds: readonly TargetKind[]) {
  const collection = readersCollection(name);
  const opened = rulesOf(kinds, ({ opened }) => opened);
  const changed = rulesOf(kinds, ({ readersChanged }) => readersChanged);
  return {
    collection,
    handles: [...opened.keys(), ...changed.keys()],
    endings: endingWithTargets(kinds, collection, (target) => eq('key', targetKey(target))),

    of: (documents: ProjectionDocuments, key: string): Promise<TargetReaders | undefined> =>
      documents.get(collection, key),

    /** @returns the readers of a known target whom the event changed, undefined where it changed none */
    async project(event: RecordedEvent, documents: ProjectionDocuments): Promise<ChangedReaders | undefined> {
      const opening = opened.get(event.type);
      if (opening) {
        const { id, ...readers } = opening.read(event);
        documents.put(collection, { key: targetKey({ type: opening.target, id }), ...readers });
      }
      const change = changed.get(event.type);
      if (!change) return undefined;
      const { id, ...changes } = change.read(event);
      if (Object.keys(changes).length === 0) return undefined;
      const target = { type: change.target, id };
      const before = await documents.get(collection, targetKey(target));
      if (!before) return undefined;
      const readers = { ...before, ...changes };
      documents.put(collection, readers);
      return { target, readers };
    },
  };
}

/** The rules of all kinds by the type of their event. */
const rulesOf = <T>(kinds: readonly TargetKind[], of: (events: TargetEvents) => readonly EventRule<T>[]) =>
  new Map(
    kinds.flatMap(({ contract, events }) =>
      of(events).map(({ type, read }) => [type, { target: contract.type, read }]),
    ),
  );

/** Documents that end with their target, whatever its kind. */
export const endingWithTargets = (
  kinds: readonly TargetKind[],
  collection: AnyCollection,
  owned: (target: Pick<TargetRef, 'type' | 'id'>) => Condition,
): Ending[] =>
  kinds.flatMap(({ contract: { type }, events }) =>
    events.deleted.map((deleted) => ({
      collection,
      event: deleted.type,
      owned: (data: unknown) => owned({ type, id: deleted.idOf(data) }),
    })),
  );
