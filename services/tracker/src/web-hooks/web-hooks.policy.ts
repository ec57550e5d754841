import { setTimeout as sleep } from 'node:timers/promises';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type WebHookEvent, webHookEvents } from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import {
  BEGINNING,
  bySystem,
  type Position,
  type RecordedEvent,
  SYSTEM_METADATA,
} from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { endMessages, PAUSES_MS } from './guarded-post.ts';
import { type Entry, HookRun, type HookRunPorts, type Told } from './hook-run.ts';
import { knownHooks } from './known-hooks.ts';
import { createHookMessages, TOLD_EVENTS, TOLD_TYPES, triggersOf } from './messages/hook-messages.ts';
import { wantsMessage } from './wanted-messages.ts';
import { type WebHookCommand, webHookDecider, webHookStream } from './web-hook.decider.ts';
import { webHookDeliveryDecider, webHookDeliveryStream } from './web-hook-delivery.decider.ts';
import { createWebHookSender, type HookMessage, type SentMessage } from './web-hook-sender.ts';
import { hookPlace, type WebHookRow, webHooks } from './web-hooks.projection.ts';

/** Deliveries in a row that fail before a hook is switched off. */
const FAILURES = 10;
/** A replay that has nothing to tell of ends with the reaction to it, in most cases. */
const [SETTLING, SETTLING_MS] = [50, 10];
const MOST_BEHIND = 10_000;

const [LIFE, PLACES] = [webHookEvents, [ProjectDeleted, GroupDeleted] as const];
const LIFE_TYPES: ReadonlySet<string> = new Set(LIFE.map(({ type }) => type));

/** Tells hooks of what happens. Each follows the log from a position of its own, so a slow one holds up no other. */
export function webHookPolicies(ports: ServicePorts): Policy[] {
  const { commands, history, ids, log, readStore } = ports;
  const known = knownHooks(ports);
  const messages = createHookMessages(ports);
  const runs = new Map<number, HookRun>();
  const underWay = new Set<Promise<unknown>>();
  const turns = createTurns();
  let sender = createWebHookSender(ports);
  let ending = new AbortController();
  let liveFrom: Position = BEGINNING;
  let moved = () => {};

  const handle = (row: WebHookRow, command: object, metadata = SYSTEM_METADATA) => {
    const { id: webHookId, projectId, groupId } = row;
    const whole = { webHookId, projectId, groupId, ...command } as WebHookCommand;
    return commands.handle(webHookDecider, webHookStream(webHookId), whole, metadata);
  };

  const runPorts: HookRunPorts = {
    tell(run, entry) {
      const telling = tell(run, entry).finally(() => underWay.delete(telling));
      underWay.add(telling);
      return telling;
    },
    async readAfter(row, after) {
      // Pushes to forks are events of other projects.
      const projectId = row.triggers.includes('merge_requests_events') ? null : row.projectId;
      const { events, readTo } = await history.read({ after, upTo: liveFrom, types: TOLD_TYPES, projectId });
      const own: RecordedEvent[] = [];
      for (const event of events)
        if (isToldOf(row, event) && (await placesOf(event)).includes(row.place)) own.push(event);
      return { events: own, readTo };
    },
    liveFrom: () => liveFrom,
    async leaveBehind({ row }, position) {
      await handle(row, { type: 'LeaveWebHookBehind', position });
    },
    async noteCaughtUp({ row }, position) {
      await handle(row, { type: 'NoteWebHookCaughtUp', position });
    },
    failed(error) {
      if (!ending.signal.aborted) log.error({ err: error }, 'a hook could not be told; tried again later');
    },
    moved: () => moved(),
    now: () => performance.now(),
  };

  async function tell(run: HookRun, entry: Entry): Promise<Told> {
    const { event } = entry;
    const wanted: { message: HookMessage; part: number }[] = [];
    for (const [part, message] of (await messages.of(event)).entries())
      if (wantsMessage(run.row, message) && (await known.placesOf(message)).includes(run.row.place))
        wanted.push({ message, part });
    for (const { message, part } of wanted) {
      if (part < entry.part) continue;
      const { row } = run;
      entry.attempts += 1;
      await turns.next();
      const sent = await sender.send(row, `${row.id}-${event.id}-${part}`, message, ending.signal);
      const pause = PAUSES_MS[entry.attempts - 1];
      if (!sent.delivered && sent.retryable && pause !== undefined) return { kind: 'later', ms: pause };
      // Messages of one event share its position.
      const toldUpTo = part === wanted.at(-1)!.part ? run.positionAfter(entry) : null;
      await record(row, entry, { ...sent, trigger: message.trigger, part, toldUpTo });
      run.failures = sent.delivered ? 0 : run.failures + 1;
      if (run.failures >= FAILURES) await handle(row, { type: 'DisableWebHook', failures: run.failures });
      entry.attempts = 0;
      entry.part = part + 1;
    }
    return { kind: 'done' };
  }

  async function record(
    { id: webHookId, projectId, groupId }: WebHookRow,
    { event, attempts }: Entry,
    {
      retryable: _,
      ...sent
    }: SentMessage & { trigger: WebHookRow['triggers'][number]; part: number; toldUpTo: string | null },
  ): Promise<void> {
    const webHookDeliveryId = await ids.next('webHookDelivery');
    const command = {
      ...{ type: 'EndWebHookDelivery' as const, webHookDeliveryId, webHookId, projectId, groupId },
      ...{ cause: 'event' as const, eventId: event.id, attempts },
      ...{ eventSubject: event.stream, eventRevision: event.revision },
      ...(sent as typeof sent & { trigger: never }),
    };
    const stream = webHookDeliveryStream(webHookDeliveryId);
    const options = { mustBeNew: true, unprojected: true };
    await commands.handle(webHookDeliveryDecider, stream, command, bySystem(event), options);
  }

  function runOf(row: WebHookRow): HookRun {
    let run = runs.get(row.id);
    if (!run) {
      run = new HookRun(row, runPorts);
      runs.set(row.id, run);
    }
    run.row = row;
    return run;
  }

  function forget(webHookId: number): void {
    runs.get(webHookId)?.end();
    runs.delete(webHookId);
  }

  /** A hook began, changed or ended. */
  async function follow(event: RecordedEvent): Promise<void> {
    const { webHookId, toldUpTo, ...place } = event.data as WebHookEvent['data'] & { toldUpTo?: string };
    const row = await readStore.get(webHooks, webHookId);
    known.forget(hookPlace(place));
    if (!row || row.disabled) forget(webHookId);
    else if (event.type === 'WebHookRewound') {
      const run = runOf(row);
      run.rewind(toldUpTo!);
      for (let left = SETTLING; run.isSettling && left > 0; left -= 1) await sleep(SETTLING_MS);
    } else if (runs.has(webHookId)) runOf(row);
  }

  async function placesOf(event: RecordedEvent): Promise<string[]> {
    const places = await known.placesOf(event.data as object);
    for (const place of await messages.otherPlacesOf(event)) places.push(...(await known.placesOf(place)));
    return [...new Set(places)];
  }

  async function announce(event: RecordedEvent): Promise<void> {
    const places = await placesOf(event);
    const rows = (await known.at(places)).filter((row) => isToldOf(row, event));
    for (const row of rows) runOf(row).add(event);
  }

  return [
    definePolicy({
      name: 'web-hook-deliveries',
      handles: [...new Set([...TOLD_EVENTS, ...LIFE, ...PLACES])],
      actsAs: 'system',
      async react(given) {
        const event = given as RecordedEvent;
        if (event.type === ProjectDeleted.type || event.type === GroupDeleted.type) {
          const { projectId, groupId } = event.data as { projectId?: number; groupId?: number };
          for (const { row } of [...runs.values()])
            if (row.projectId === (projectId ?? -1) || row.groupId === (groupId ?? -1)) forget(row.id);
          known.forgetAll();
        }
        if (LIFE_TYPES.has(event.type)) await follow(event);
        else if (TOLD_TYPES.has(event.type)) await announce(event);
        liveFrom = event.position;
        for (const [id, run] of runs) if (run.isIdle) runs.delete(id);
      },
      outlasting: {
        async begin(position, tellMoved) {
          ending = new AbortController();
          sender = createWebHookSender(ports);
          liveFrom = position;
          moved = tellMoved;
          known.forgetAll();
          runs.clear();
          const behind = await readStore.find(webHooks, { where: eq('behind', true), limit: MOST_BEHIND });
          for (const row of behind) if (!row.disabled) runOf(row).start();
        },
        unfinished() {
          let oldest: Position | undefined;
          for (const { unfinished } of runs.values())
            if (unfinished !== undefined && (oldest === undefined || unfinished < oldest))
              oldest = unfinished;
          return oldest;
        },
        async end() {
          for (const run of runs.values()) run.halt();
          await endMessages(() => Promise.allSettled([...underWay]), ending);
          moved = () => {};
          sender.close();
        },
      },
    }),
  ];

  function isToldOf(row: WebHookRow, event: RecordedEvent): boolean {
    return !row.disabled && triggersOf(event.type).some((trigger) => row.triggers.includes(trigger));
  }
}

/** One after the other gets a turn of the event loop: hundreds of messages at once would keep requests waiting. */
function createTurns() {
  let last: Promise<void> = Promise.resolve();
  return {
    next(): Promise<void> {
      last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
      return last;
    },
  };
}
