import { auditEvents, auditEventsProjection } from '@forgelog/admin/audit-events/audit-events.projection.ts';
import { endingReadStore } from '@forgelog/eventing/ending-read-store.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { feedCheckpoint } from '@forgelog/eventing/feed-relay.ts';
import { policyCheckpoint } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { differingCollections } from '@forgelog/eventing/rebuild.ts';
import { KAFKA } from '@forgelog/host/kafka-relay.ts';
import type { Report } from './report.ts';
import type { LogContents } from './verify-log.ts';

const NO_LOG = { error: () => {} };

export interface ReadModels {
  store: EventStore;
  readStore: ReadStore;
  catalogue: EventCatalogue;
  projections: readonly Projection[];
  policies: readonly string[];
}

/** Compares the read models with ones rebuilt from the log. */
export async function verifyReadModels(models: ReadModels, report: Report): Promise<void> {
  const { store, projections, policies } = models;
  // What ended and is not deleted yet is no difference: no reader sees it.
  const readStore = endingReadStore(models.readStore, NO_LOG, { deletes: false });
  const collections = projections.flatMap((projection) => projection.collections);
  const { reset } = await readStore.declare(collections);
  if (reset.length > 0) {
    report.note(`${reset.length} of ${collections.length} collections are empty until the next start`);
    const stale = projections.filter((one) => one.collections.some(({ name }) => reset.includes(name)));
    await readStore.reset(
      stale.flatMap((one) => one.collections),
      stale.map(({ name }) => name),
    );
  }
  const head = await store.head();
  const lasting = [...policies.map(policyCheckpoint), feedCheckpoint(KAFKA)];
  for (const name of [...projections.map((one) => one.name), ...lasting]) {
    const stands = await readStore.checkpoint(name);
    if (stands > head) report.problem(`${name} has seen events up to ${stands}, the log ends at ${head}.`);
  }
  try {
    const differing = await differingCollections({
      ...{ ...models, readStore },
      onProgress: ({ events }) => report.progress(`${collections.length} collections, ${events} events`),
    });
    for (const name of differing)
      report.problem(`${name} is not what the log gives; \`npm run rebuild\` makes it anew.`);
  } catch (error) {
    report.problem(`${(error as Error).message}: ${((error as Error).cause as Error | undefined)?.message}`);
  }
}

/** Verifies that each privileged change has exactly one audit event, with the right author. */
export async function verifyAudit(
  readStore: ReadStore,
  { privileged }: LogContents,
  report: Report,
): Promise<void> {
  const upTo = await readStore.checkpoint(auditEventsProjection.name);
  const due = privileged.filter(({ position }) => position <= upTo);
  for (const [done, { id, type, position, actorId, onBehalfBy }] of due.entries()) {
    const entry = await readStore.get(auditEvents, id);
    if (!entry) report.problem(`${type} at ${position} has no audit event.`);
    else if (entry.authorId !== (actorId ?? -1))
      report.problem(
        `The audit event of ${type} at ${position} names user ${entry.authorId}, not ${actorId}.`,
      );
    else if (entry.impersonatorId !== onBehalfBy)
      report.problem(
        `The audit event of ${type} at ${position} names administrator ${entry.impersonatorId}, not ${onBehalfBy}.`,
      );
    if (done % 1000 === 999) report.progress(`${done + 1} of ${due.length} privileged changes`);
  }
  report.progress(`${due.length} privileged changes`);
  const present = await readStore.count(auditEvents, { atMost: due.length + 1 });
  if (present > due.length) report.problem('There are audit events that no privileged change made.');
}
