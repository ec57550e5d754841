import { setTimeout as sleep } from 'node:timers/promises';
import { MAIL_OUTCOMES } from '@forgelog/contracts/tracker/notification-mails/notification-mail.events.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import { BEGINNING, bySystem, type Position, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { audienceFor } from './audience.ts';
import { framed } from './mail-frame.ts';
import { type Attempt, type Batch, MailQueue, type Queued } from './mail-queue.ts';
import { AT_ONCE, createMailSender, type MailSender } from './mail-sender.ts';
import { mailSettings } from './mail-settings.ts';
import { type Item, mailTexts } from './mail-text.ts';
import { NEWS_EVENTS, type News, newsOf, type Reason } from './news.ts';
import { notificationMailDecider, notificationMailStream } from './notification-mail.decider.ts';
import { pipelineResults, resultBefore } from './pipeline-results.projection.ts';
import { mailAddressOf, readableNews } from './readable-news.ts';

/** Pauses after failed attempts; the last one again and again. */
const PAUSES_MS = [1_000, 5_000, 25_000, 120_000, 600_000];
/** A mail server that is away for longer loses news: whoever reads them then has read them elsewhere. */
const MOST_AGE_MS = 24 * 60 * 60 * 1000;
/** Mails that wait in memory. While there are more, the log is not read further. */
const MOST_WAITING = 10_000;
const ROOM_MS = 100;
/** At a stop, mails under way have so long to end; they are sent again otherwise, as the same message. */
const ENDING_MS = 1_500;

interface Entry {
  news: News;
  reason: Reason;
  event: Pick<RecordedEvent, 'id' | 'time' | 'position' | 'metadata'>;
}

type Outcome = (typeof MAIL_OUTCOMES)[number];

/** Tells people by mail of what concerns them. Without a mail server in the settings it tells nobody, ever. */
export function notificationMailPolicies(ports: ServicePorts): Policy[] {
  const { clock, commands, configuration, directory, log, metrics, readStore } = ports;
  const settings = mailSettings(configuration);
  const audienceOf = audienceFor(ports);
  const authorizer = createAuthorizer(directory);
  const textOf = mailTexts(ports);
  const counted = metrics.counter({
    ...{ name: 'forgelog_mails_total', help: 'Mails to people by how they ended, and failed attempts.' },
    labels: ['outcome'],
  });
  for (const outcome of [...MAIL_OUTCOMES, 'failed']) counted.of(outcome).add(0);
  let queue: MailQueue<Entry> | undefined;
  let sender: MailSender | undefined;
  let failuresInRow = 0;
  let handed: Position = BEGINNING;
  metrics.gauge({ name: 'forgelog_mails_waiting', help: 'Mails to people that are not sent yet.' }, () => [
    [[], queue?.size ?? 0],
  ]);

  const isOld = ({ time }: Pick<RecordedEvent, 'time'>) => clock().getTime() - Date.parse(time) > MOST_AGE_MS;
  const pauseAfter = (attempts: number) => PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1]!;

  async function tell(batch: Batch<Entry>, queued: readonly Queued<Entry>[]): Promise<Attempt> {
    try {
      return await attempt(batch, queued);
    } catch (error) {
      log.error({ err: error }, 'a mail could not be made; tried again later');
      return { kind: 'later', ms: pauseAfter(batch.attempts) };
    }
  }

  async function attempt(
    { userId, thread, attempts }: Batch<Entry>,
    queued: readonly Queued<Entry>[],
  ): Promise<Attempt> {
    const entries = queued.map(({ entry }) => entry);
    const stream = notificationMailStream(userId, thread);
    const { state: toldUpTo } = await commands.load(notificationMailDecider, stream);
    const items = await itemsFor(
      userId,
      entries.filter(({ event }) => event.position > toldUpTo),
    );
    const user = await directory.user(userId);
    const address = mailAddressOf(user);
    if (items.length === 0 || address === null) return { kind: 'done' };
    const end = (outcome: Outcome) => record(outcome, { userId, thread, attempts }, items);

    if (isOld(items.at(-1)!.event)) {
      await end('given_up');
      return { kind: 'done' };
    }
    const mail = await framed(await textOf({ name: user!.name, address }, userId, items), ports);
    const sent = await sender!.send(mail);
    if (sent.kind === 'sent' || sent.kind === 'refused') {
      failuresInRow = 0;
      if (sent.kind === 'refused')
        log.warn({ userId, thread, why: sent.why }, 'the mail server refuses a mail for good');
      await end(sent.kind);
      return { kind: 'done' };
    }
    counted.of('failed').add();
    log.warn({ userId, thread, attempts, why: sent.why }, 'a mail was not sent; tried again later');
    if (sent.kind === 'later') return { kind: 'later', ms: pauseAfter(attempts) };
    failuresInRow += 1;
    return { kind: 'pause', ms: pauseAfter(failuresInRow) };
  }

  /** What the user may know of it now. */
  async function itemsFor(userId: number, entries: readonly Entry[]): Promise<(Item & Entry)[]> {
    const items: (Item & Entry)[] = [];
    for (const entry of entries) {
      const readable = await readableNews(ports, authorizer, userId, entry.news);
      if (readable) items.push({ ...entry, eventId: entry.event.id, readable });
    }
    return items;
  }

  async function record(
    outcome: Outcome,
    { userId, thread, attempts }: Pick<Batch<Entry>, 'userId' | 'thread' | 'attempts'>,
    items: readonly (Item & Entry)[],
  ): Promise<void> {
    const { news, event } = items.at(-1)!;
    const eventIds = [...new Set(items.map(({ eventId }) => eventId))];
    await commands.handle(
      notificationMailDecider,
      notificationMailStream(userId, thread),
      {
        ...{ type: 'EndNotificationMail', userId, thread, outcome, eventIds, attempts },
        ...{ projectId: news.projectId, groupId: news.groupId, toldUpTo: event.position },
      },
      bySystem(event),
      { unprojected: true },
    );
    counted.of(outcome).add();
  }

  async function announce(event: RecordedEvent, queueNow: MailQueue<Entry>): Promise<void> {
    const after = handed;
    const byUser = new Map<number, { thread: string; queued: Queued<Entry>[] }>();
    const { id, time, position, metadata } = event;
    for (const news of event.type === 'PipelineStatusChanged' ? await pipelineNews(event) : newsOf(event))
      for (const { userId, reason } of await audienceOf(news)) {
        const own = byUser.get(userId) ?? { thread: news.thread, queued: [] };
        own.queued.push({ entry: { news, reason, event: { id, time, position, metadata } }, after });
        byUser.set(userId, own);
      }
    for (const [userId, { thread, queued }] of byUser) queueNow.add(userId, thread, queued);
  }

  async function pipelineNews({ data, metadata }: RecordedEvent): Promise<News[]> {
    const { pipelineId, changes } = data as { pipelineId: number; changes: { status?: string } };
    const { status } = changes;
    if (status !== 'failed' && status !== 'success') return [];
    const row = await readStore.get(pipelineResults, pipelineId);
    if (!row || row.actorId === null || row.isChild) return [];
    const isFixed = status === 'success' && (await resultBefore(readStore, row)) === 'failed';
    const did = status === 'failed' ? 'failed' : isFixed ? 'fixed' : 'succeeded';
    return [
      {
        ...{ thread: `Pipeline-${pipelineId}`, projectId: row.projectId, groupId: null, target: null },
        ...{ noteId: null, actorId: metadata.actorId, begins: false, mentions: [], labelIds: [] },
        custom: did === 'failed' ? 'failed_pipeline' : isFixed ? 'fixed_pipeline' : 'success_pipeline',
        says: { did, pipelineId },
        named: new Map([[row.actorId, null]]),
      },
    ];
  }

  return [
    definePolicy({
      name: 'notification-mails',
      handles: NEWS_EVENTS,
      actsAs: 'system',
      async react(given, { signal }) {
        const event = given as RecordedEvent;
        // A server that begins to send mails does not begin with what happened before.
        if (queue && !isOld(event)) {
          while (queue.size >= MOST_WAITING && !signal.aborted)
            await sleep(ROOM_MS, undefined, { signal }).catch(() => {});
          if (signal.aborted) throw new Error('stopped');
          await announce(event, queue);
        }
        handed = event.position;
      },
      outlasting: {
        async begin(position, moved) {
          handed = position;
          if (settings === undefined) return;
          failuresInRow = 0;
          sender = createMailSender(settings);
          queue = new MailQueue(
            { tell, moved, now: () => performance.now() },
            {
              delayMs: settings.delayMs,
              atOnce: AT_ONCE,
            },
          );
        },
        unfinished: () => queue?.unfinished,
        async end() {
          await queue?.stop(ENDING_MS);
          sender?.close();
        },
      },
    }),
  ];
}
