import type { Position, RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import { knownIdentity, type PublishedPosition } from './log-identity.ts';

export interface History {
  /** Reads one project alone where it is named and the log has an index of projects. */
  read(range: {
    after: Position;
    upTo: Position;
    types: ReadonlySet<string>;
    projectId?: number | null;
  }): Promise<{ events: RecordedEvent[]; readTo: Position }>;
  at(stream: string, revision: number): Promise<RecordedEvent | undefined>;
  head(): Position | Promise<Position>;
  publishedPosition(published: string): Promise<PublishedPosition>;
}

const LIMIT = 200;

export function createHistory({
  store,
  catalogue,
}: {
  store: EventStore;
  catalogue: EventCatalogue;
}): History {
  const identity = knownIdentity(store);
  return {
    async read({ after, upTo, types, projectId = null }) {
      const found =
        projectId !== null && store.readProject
          ? await store.readProject({ projectId, after, upTo, limit: LIMIT })
          : await store.readAll({ after, limit: LIMIT });
      const events = found.filter(({ position, type }) => position <= upTo && types.has(type));
      const last = found.at(-1)?.position ?? upTo;
      const readTo = found.length < LIMIT || last > upTo ? upTo : last;
      return { events: events.map((event) => catalogue.read(event)), readTo };
    },
    async at(stream, revision) {
      const [event] = await store.readStream(stream, { fromRevision: revision, limit: 1 });
      return event && catalogue.read(event);
    },
    head: () => store.head(),
    publishedPosition: async (published) => (await identity.current()).read(published, store),
  };
}
