import type { milestoneView } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import { DerivedCache } from '@forgelog/directory/derived-cache.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { PlaceholderKind } from '@forgelog/service-kit/service.ts';
import { placeholder } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import { milestoneNow, shownMilestones } from './milestone.query.ts';
import { milestoneJson } from './milestone.view.ts';

const MILESTONE = 'k';

/** The milestone of an issue or a merge request: null where it has none, or a deleted one. */
export const milestone = placeholder<z.output<typeof milestoneView> | null>(MILESTONE);

type Ports = Pick<ServicePorts, 'readStore' | 'directory' | 'clock' | 'configuration' | 'host'>;

/** Milestones as JSON, which a path of their place and the day are parts of. */
interface KnownMilestones {
  read(id: number): string | Promise<string | undefined>;
  forgetAll(): void;
}

const MOST = 20_000;
const byStore = new WeakMap<ReadStore, KnownMilestones>();

/** Call `forgetAll` when milestones change. */
export function knownMilestones(ports: Ports): KnownMilestones {
  let known = byStore.get(ports.readStore);
  if (!known) {
    known = createKnownMilestones(ports);
    byStore.set(ports.readStore, known);
  }
  return known;
}

function createKnownMilestones(ports: Ports): KnownMilestones {
  const { readStore, directory } = ports;
  const cache = new DerivedCache<number, string>(directory, MOST);
  const view = milestoneJson.renderer(ports);
  return {
    read: (id) =>
      cache.read(id, async () => {
        const row = await milestoneNow(readStore, id);
        if (!row) return 'null';
        const [shown] = await shownMilestones(directory, [row]);
        return String(view.one(shown!, { today: today(ports) }));
      }) as string | Promise<string | undefined>,
    forgetAll: () => cache.forgetAll(),
  };
}

export function milestonePlaceholder(ports: Ports): PlaceholderKind {
  const known = knownMilestones(ports);
  return {
    kind: MILESTONE,
    resolve(id) {
      const text = known.read(Number(id));
      return typeof text === 'string' ? text : undefined;
    },
    async load(ids) {
      const loaded = new Map<string, string>();
      // A milestone is read as JSON, `null` once it is gone.
      for (const id of ids) loaded.set(id, (await known.read(Number(id)))!);
      return loaded;
    },
  };
}
