import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type IntegrationEvent,
  integrationEvents,
} from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import {
  CHAT_SLUGS,
  type IntegrationSlug,
  integrationKind,
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
import { approvalBranches } from '../../approval-rules/approval-branches.projection.ts';
import { endMessages, PAUSES_MS, type Posted } from '../../web-hooks/guarded-post.ts';
import { createHookMessages, TOLD_EVENTS, triggersOf } from '../../web-hooks/messages/hook-messages.ts';
import { integrationDecider, integrationStream, type Property } from '../integration.decider.ts';
import { type IntegrationRow, integrations } from '../integrations.projection.ts';
import { chatBody } from './chat-dialects.ts';
import { type ChatMessage, chatMessageOf } from './chat-message.ts';
import { integrationMessageDecider, integrationMessagesStream } from './integration-message.decider.ts';
import { IntegrationQueue, type Queued, type Told } from './integration-queue.ts';
import { createIntegrationSender } from './integration-sender.ts';
import {
  propertyOf,
  type ToldRef,
  type Wishes,
  wantsPipeline,
  wantsRef,
  wantsTrigger,
} from './wanted-message.rules.ts';

/** Messages in a row that fail before an integration is switched off. */
const FAILURES = 10;
const PROJECTS = 50_000;
const MOST_PROTECTED = 1_000;

/** What chats are told of, by what hooks would be told. */
const TRIGGERS = [
  ...['push_events', 'tag_push_events', 'issues_events', 'note_events', 'merge_requests_events'],
  ...['pipeline_events', 'wiki_page_events', 'deployment_events'],
];
/** Chats are not told of edits: the move of a source branch is one of its merge requests. */
const EDITS = ['RefUpdated', 'NoteEdited'];
const TOLD = TOLD_EVENTS.filter(
  ({ type }) => !EDITS.includes(type) && triggersOf(type).some((trigger) => TRIGGERS.includes(trigger)),
);
const TOLD_TYPES: ReadonlySet<string> = new Set(TOLD.map(({ type }) => type));

type ChatRow = IntegrationRow & { slug: IntegrationSlug; sealedWebhook: string };

/** Tells chats of what happens in projects, each in order; a chat that fails holds up no other. */
export function integrationPolicies(ports: ServicePorts): Policy[] {
  const { commands, directory, log, readStore } = ports;
  const messages = createHookMessages(ports);
  const byProject = createLru<number, readonly ChatRow[]>(PROJECTS);
  let sender = createIntegrationSender(ports);
  let ending = new AbortController();
  let handed: Position = BEGINNING;
  let moved = () => {};
  let queue = newQueue();

  function newQueue(): IntegrationQueue {
    return new IntegrationQueue({
      tell,
      moved: () => moved(),
      now: () => performance.now(),
      failed(error) {
        if (!ending.signal.aborted) log.error({ err: error }, 'a chat could not be told; tried again later');
      },
    });
  }

  async function chatsOf(projectId: number): Promise<readonly ChatRow[]> {
    const known = byProject.get(projectId);
    if (known) return known;
    const where = and(eq('projectId', projectId), oneOf('slug', CHAT_SLUGS), eq('disabled', false));
    const rows = await readStore.find(integrations, { where, limit: CHAT_SLUGS.length });
    byProject.set(projectId, rows as ChatRow[]);
    return rows as ChatRow[];
  }

  async function tell(integrationId: number, queued: Queued): Promise<Told> {
    const { event } = queued;
    const row = (await readStore.get(integrations, integrationId)) as ChatRow | null | undefined;
    if (!row || row.disabled) return { kind: 'done' };
    const stream = integrationMessagesStream(integrationId);
    const { state } = await commands.load(integrationMessageDecider, stream);
    if (event.position <= state.toldUpTo) return { kind: 'done' };
    const said = await messagesFor(row, event);
    if (said.length === 0) return { kind: 'done' };
    queued.attempts += 1;
    let sent: Posted | undefined;
    for (const message of said) {
      sent = await sender.send(row, bodyFor(row, message), ending.signal);
      if (!sent.delivered) break;
    }
    const pause = PAUSES_MS[queued.attempts - 1];
    if (!sent!.delivered && sent!.retryable && pause !== undefined)
      return { kind: 'later', ms: Math.max(pause, sent!.retryAfterMs ?? 0) };
    await end(row, queued, sent!, state.failures);
    return { kind: 'done' };
  }

  async function end(
    { id: integrationId, projectId, slug }: ChatRow,
    { event, attempts }: Queued,
    { delivered, status, error }: Posted,
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
    if (failures === 0 || failures % FAILURES !== 0) return;
    log.warn({ projectId, slug, failures }, 'an integration was switched off, because its chat fails');
    const command = { type: 'DisableIntegration' as const, projectId, slug, failures };
    await commands.handle(integrationDecider, integrationStream(projectId, slug), command, SYSTEM_METADATA);
  }

  async function messagesFor(row: ChatRow, event: RecordedEvent): Promise<ChatMessage[]> {
    const wishes: Wishes = { flagsOff: row.flagsOff, properties: row.properties as Property[] };
    const said: ChatMessage[] = [];
    for (const { trigger, branch, projectId, body: text } of await messages.of(event)) {
      if (projectId !== row.projectId || !wantsTrigger(wishes, trigger)) continue;
      const body = JSON.parse(text);
      if (trigger === 'pipeline_events') {
        const { status, ref, tag } = body.object_attributes;
        if (!wantsPipeline(wishes, status) || !wantsRef(wishes, await refOf(row.projectId, ref, tag)))
          continue;
      }
      if (branch !== null && !wantsRef(wishes, await refOf(row.projectId, branch, false))) continue;
      const message = chatMessageOf(body);
      if (message) said.push(message);
    }
    return said;
  }

  async function refOf(projectId: number, name: string, isTag: boolean): Promise<ToldRef> {
    const project = await directory.project(projectId);
    const where = eq('projectId', projectId);
    const rules = await readStore.find(approvalBranches, { where, limit: MOST_PROTECTED });
    const isProtected = rules.some((rule) => refPattern(rule.name)(name));
    return { name, isTag, isDefault: project?.defaultBranch === name, isProtected };
  }

  function bodyFor(row: ChatRow, message: ChatMessage): Buffer {
    const properties = row.properties as Property[];
    const text = (name: Property['name']) => {
      const value = propertyOf(properties, name);
      return typeof value === 'string' ? value : undefined;
    };
    const speaking = { username: text('username'), channel: text(message.channel) ?? text('channel') };
    return chatBody(integrationKind(row.slug).dialect!, message, speaking);
  }

  async function announce(event: RecordedEvent): Promise<void> {
    const { projectId } = event.data as { projectId?: number | null };
    if (projectId === undefined || projectId === null) return;
    for (const { id, slug, flagsOff, properties } of await chatsOf(projectId)) {
      const wishes: Wishes = { flagsOff, properties: properties as Property[] };
      if (!triggersOf(event.type).some((trigger) => wantsTrigger(wishes, trigger))) continue;
      if (!queue.add(id, event, handed))
        log.warn({ projectId, slug }, 'a chat is too far behind, and is not told of an event');
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
          queue = newQueue();
          handed = position;
          moved = tellMoved;
          byProject.clear();
        },
        unfinished: () => queue.unfinished,
        async end() {
          await endMessages(() => queue.halt(), ending);
          moved = () => {};
          sender.close();
        },
      },
    }),
  ];
}
