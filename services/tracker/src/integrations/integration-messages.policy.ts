import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  type IntegrationEvent,
  integrationEvents,
} from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import {
  type Courier as CourierName,
  type IntegrationSlug,
  integrationKind,
  TELLING_SLUGS,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import {
  BEGINNING,
  bySystem,
  type Position,
  type RecordedEvent,
  SYSTEM_METADATA,
} from '@forgelog/eventing/event.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import { refPattern } from '@forgelog/service-kit/ref-pattern.ts';
import { approvalBranches } from '../approval-rules/approval-branches.projection.ts';
import { endMessages, PAUSES_MS, type Posted } from '../web-hooks/guarded-post.ts';
import { createHookMessages, TOLD_EVENTS, triggersOf } from '../web-hooks/messages/hook-messages.ts';
import { createChatCourier } from './chat/chat-courier.ts';
import type { Courier, HookBody } from './courier.ts';
import { integrationDecider, integrationStream, type Property } from './integration.decider.ts';
import { integrationMessageDecider, integrationMessagesStream } from './integration-message.decider.ts';
import { IntegrationQueue, type Queued, type Told } from './integration-queue.ts';
import { createIntegrationSender } from './integration-sender.ts';
import { type IntegrationRow, integrations } from './integrations.projection.ts';
import { createJenkinsCourier } from './jenkins/jenkins-courier.ts';
import { createJiraCourier } from './jira/jira-courier.ts';
import { createMailCourier } from './mail/mail-courier.ts';
import { type ToldRef, type Wishes, wantsPipeline, wantsRef, wantsTrigger } from './wanted-message.rules.ts';

/** Messages in a row that fail before an integration is switched off. */
const FAILURES = 10;
const PROJECTS = 50_000;
const MOST_PROTECTED = 1_000;
/** For so long it is tried where the server is one of this instance: whoever reads it then has read it elsewhere. */
const MOST_AGE_MS = 24 * 60 * 60 * 1000;

/** What integrations tell of, by what hooks would be told. */
const TRIGGERS = [
  ...['push_events', 'tag_push_events', 'issues_events', 'note_events', 'merge_requests_events'],
  ...['pipeline_events', 'wiki_page_events', 'deployment_events'],
];
const TOLD = TOLD_EVENTS.filter(
  ({ type }) => type !== 'NoteEdited' && triggersOf(type).some((trigger) => TRIGGERS.includes(trigger)),
);
/** The move of a source branch edits its merge requests, also those to other projects. */
const EDIT = RefUpdated.type;
const TOLD_TYPES: ReadonlySet<string> = new Set(TOLD.map(({ type }) => type));

const GIVEN_UP = { delivered: false, status: null, error: 'time' } as const;

type TellingRow = IntegrationRow & { slug: IntegrationSlug };

const wishesOf = ({ slug, flagsOff, properties }: TellingRow): Wishes => ({
  ...{ slug, flagsOff, properties: properties as Property[] },
});

/** Tells chats, mailboxes, Jira and Jenkins of what happens in projects, each in order; one that fails holds up no other. */
export function integrationPolicies(ports: ServicePorts): Policy[] {
  const { clock, commands, directory, log, readStore } = ports;
  const messages = createHookMessages(ports);
  const byProject = createLru<number, readonly TellingRow[]>(PROJECTS);
  let sender = createIntegrationSender(ports);
  let ending = new AbortController();
  let handed: Position = BEGINNING;
  let moved = () => {};
  let queue = newQueue();
  let couriers = newCouriers();

  function newCouriers(): Readonly<Record<CourierName, Courier | undefined>> {
    return {
      chat: createChatCourier(sender),
      mail: createMailCourier(ports),
      jira: createJiraCourier(sender, directory.externalUrl),
      jenkins: createJenkinsCourier(sender),
    };
  }

  const courierOf = (slug: IntegrationSlug) => couriers[integrationKind(slug).courier!];

  function newQueue(): IntegrationQueue {
    return new IntegrationQueue({
      tell,
      moved: () => moved(),
      now: () => performance.now(),
      failed(error) {
        if (!ending.signal.aborted)
          log.error({ err: error }, 'an integration could not tell; tried again later');
      },
    });
  }

  async function tellingOf(projectId: number): Promise<readonly TellingRow[]> {
    const known = byProject.get(projectId);
    if (known) return known;
    const where = and(eq('projectId', projectId), oneOf('slug', TELLING_SLUGS), eq('disabled', false));
    const rows = await readStore.find(integrations, { where, limit: TELLING_SLUGS.length });
    byProject.set(projectId, rows as TellingRow[]);
    return rows as TellingRow[];
  }

  async function tell(integrationId: number, queued: Queued): Promise<Told> {
    const { event } = queued;
    const row = (await readStore.get(integrations, integrationId)) as TellingRow | null | undefined;
    if (!row || row.disabled) return { kind: 'done' };
    const stream = integrationMessagesStream(integrationId);
    const { state } = await commands.load(integrationMessageDecider, stream);
    if (event.position <= state.toldUpTo) return { kind: 'done' };
    const courier = courierOf(row.slug);
    const bodies = courier ? await bodiesFor(row, event) : [];
    if (!courier || bodies.length === 0) return { kind: 'done' };
    const isOld = clock().getTime() - Date.parse(event.time) > MOST_AGE_MS;
    if (courier.isOurs && isOld) {
      await end(row, queued, GIVEN_UP, state.failures);
      return { kind: 'done' };
    }
    const telling = { eventId: event.id, bodies, done: queued.done };
    const sent = await courier.tell(row, telling, ending.signal);
    if (!sent) return { kind: 'done' };
    queued.attempts += 1;
    const pause = PAUSES_MS[queued.attempts - 1] ?? (courier.isOurs ? PAUSES_MS.at(-1) : undefined);
    if (!sent.delivered && sent.retryable && pause !== undefined)
      return { kind: 'later', ms: Math.max(pause, sent.retryAfterMs ?? 0) };
    await end(row, queued, sent, state.failures);
    return { kind: 'done' };
  }

  async function end(
    { id: integrationId, projectId, slug }: TellingRow,
    { event, attempts }: Queued,
    { delivered, status, error }: Pick<Posted, 'delivered' | 'status' | 'error'>,
    failuresBefore: number,
  ): Promise<void> {
    await commands.handle(
      integrationMessageDecider,
      integrationMessagesStream(integrationId),
      {
        ...{ type: 'EndIntegrationMessage', integrationId, projectId, slug, eventId: event.id },
        ...{ delivered, attempts, status, error, toldUpTo: event.position },
      },
      bySystem(event),
      { unprojected: true },
    );
    const failures = delivered ? 0 : failuresBefore + 1;
    // Each tenth, so that one that was switched on again is not off with its first failure.
    if (failures === 0 || failures % FAILURES !== 0 || courierOf(slug)?.isOurs) return;
    log.warn({ projectId, slug, failures }, 'an integration was switched off, because its receiver fails');
    const command = { type: 'DisableIntegration' as const, projectId, slug, failures };
    await commands.handle(integrationDecider, integrationStream(projectId, slug), command, SYSTEM_METADATA);
  }

  async function bodiesFor(row: TellingRow, event: RecordedEvent): Promise<HookBody[]> {
    const wishes = wishesOf(row);
    const told: HookBody[] = [];
    for (const { trigger, branch, projectId, body: text } of await messages.of(event)) {
      if (projectId !== row.projectId || !wantsTrigger(wishes, trigger)) continue;
      const body = JSON.parse(text);
      if (trigger === 'pipeline_events') {
        const { status, ref, tag } = body.object_attributes;
        if (!wantsPipeline(wishes, status) || !wantsRef(wishes, await refOf(row.projectId, ref, tag)))
          continue;
      }
      if (branch !== null && !wantsRef(wishes, await refOf(row.projectId, branch, false))) continue;
      told.push(body);
    }
    return told;
  }

  async function refOf(projectId: number, name: string, isTag: boolean): Promise<ToldRef> {
    const project = await directory.project(projectId);
    const where = eq('projectId', projectId);
    const rules = await readStore.find(approvalBranches, { where, limit: MOST_PROTECTED });
    const isProtected = rules.some((rule) => refPattern(rule.name)(name));
    return { name, isTag, isDefault: project?.defaultBranch === name, isProtected };
  }

  async function announce(event: RecordedEvent): Promise<void> {
    const { projectId } = event.data as { projectId?: number | null };
    if (projectId === undefined || projectId === null) return;
    const others = event.type === EDIT ? await messages.otherPlacesOf(event) : [];
    for (const at of [{ projectId }, ...others])
      if (at.projectId !== undefined) await announceTo(at.projectId, event);
  }

  async function announceTo(projectId: number, event: RecordedEvent): Promise<void> {
    for (const row of await tellingOf(projectId)) {
      const { id, slug } = row;
      const courier = courierOf(slug);
      if (!courier || (event.type === EDIT && !courier.takesEdits)) continue;
      if (!triggersOf(event.type).some((trigger) => wantsTrigger(wishesOf(row), trigger))) continue;
      if (!queue.add(id, event, handed))
        log.warn({ projectId, slug }, 'an integration is too far behind, and does not tell of an event');
    }
  }

  return [
    definePolicy({
      name: 'integration-messages',
      handles: [...new Set([...TOLD, ...integrationEvents, ProjectDeleted])],
      actsAs: 'system',
      async react(given) {
        const event = given as RecordedEvent;
        if (integrationEvents.some(({ type }) => type === event.type)) {
          const { projectId, integrationId } = event.data as IntegrationEvent['data'];
          byProject.delete(projectId);
          if (event.type === 'IntegrationDeleted' || event.type === 'IntegrationDisabled')
            queue.forget(integrationId);
        } else if (event.type === ProjectDeleted.type) {
          const { projectId } = event.data as { projectId: number };
          for (const { id } of byProject.get(projectId) ?? []) queue.forget(id);
          byProject.delete(projectId);
        } else if (TOLD_TYPES.has(event.type)) await announce(event);
        handed = event.position;
      },
      outlasting: {
        async begin(position, tellMoved) {
          ending = new AbortController();
          sender = createIntegrationSender(ports);
          couriers = newCouriers();
          queue = newQueue();
          handed = position;
          moved = tellMoved;
          byProject.clear();
        },
        unfinished: () => queue.unfinished,
        async end() {
          await endMessages(() => queue.halt(), ending);
          moved = () => {};
          for (const courier of Object.values(couriers)) courier?.close();
          sender.close();
        },
      },
    }),
  ];
}
