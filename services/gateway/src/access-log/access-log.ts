import { accessLogEvents } from '@forgelog/contracts/gateway/access-log/access-log.events.ts';
import type { NewEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { callerKey, metadataOf, type Principal } from '@forgelog/service-kit/principal.ts';
import type { RequestRecord } from '../request-record.ts';
import {
  type AccessFacts,
  type AccessRecordPorts,
  type AccessType,
  accessRefused,
  credentialRefused,
  credentialUsed,
  deployTokenUsed,
  ownerOf,
  recordsOmitted,
  refusedPlace,
  repositoryFetched,
} from './access-records.ts';
import { type Counted, Tally } from './tally.ts';

/** Records who signs in, fetches and is refused. No call waits, reads or writes: that happens every second. */
export interface AccessLog {
  credentialUsed(principal: Principal, request: RequestRecord): void;
  /** @param account the id of the user whose account was tried, or the name that was tried */
  credentialRefused(reason: RefusalReason, request: RequestRecord, account?: number | string): void;
  repositoryFetched(projectId: number, operation: 'clone' | 'fetch', request: RequestRecord): void;
  /** Records a 403, or a 404 that hides what exists. */
  answered(request: RequestRecord, status: number): void;
  start(): void;
  /** Writes what was counted. */
  stop(): Promise<void>;
}

export type RefusalReason =
  | 'unknown_token'
  | 'wrong_password'
  | 'blocked_user'
  | 'sudo'
  | 'scope'
  | 'too_many';

export interface AccessLogPorts extends AccessRecordPorts {
  stream: ExpiringStream;
  identity: KnownIdentity;
  catalogue: EventCatalogue;
  clock: () => Date;
  log: Logger;
}

/** What a kill may lose of what is new. */
const WRITE_MS = 1_000;
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** Causes told apart in a window. Strangers cause refused sign-ins, and each user may cause refusals without end. */
const LIMITS: Readonly<Record<AccessType, { windowMs: number; most: number }>> = {
  CredentialUsed: { windowMs: HOUR_MS, most: 20_000 },
  DeployTokenUsed: { windowMs: HOUR_MS, most: 20_000 },
  CredentialRefused: { windowMs: MINUTE_MS, most: 100 },
  RepositoryFetched: { windowMs: MINUTE_MS, most: 1_000 },
  AccessRefused: { windowMs: MINUTE_MS, most: 200 },
};
const BATCH = 500;
/** Events that wait while the store is away. */
const MOST_WAITING = 20_000;
/** Those that count what else happened meanwhile: at least two hours of them. */
const MOST_OMITTED = 1_000;
const LONGEST_NAMED = 255;

export function createAccessLog(ports: AccessLogPorts): AccessLog {
  const { stream, identity, catalogue, clock, log } = ports;
  const tallies = new Map(
    Object.entries(LIMITS).map(([type, limits]) => [type, new Tally<AccessFacts>(limits)]),
  );
  const omitted = new Tally<AccessFacts>({ windowMs: MINUTE_MS, most: tallies.size });
  const versions = new Map<string, number>(accessLogEvents.map(({ type, version }) => [type, version]));
  /** The text that a caller was told apart by last: to make one for each request costs more than to look it up. */
  const lastUses = new WeakMap<Principal, { clientAddress: string | null; cause: string }>();
  let counted: Counted<AccessFacts>[] = [];
  let waiting: NewEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const now = () => clock().getTime();

  function note(type: AccessType, cause: string, facts: () => AccessFacts): void {
    const at = now();
    const tally = tallies.get(type)!;
    if (!tally.repeats(cause, at) && !tally.begin(cause, at, facts())) omit(type, at);
  }

  function omit(kind: AccessType, at: number, count = 1): void {
    const type = kind === 'DeployTokenUsed' ? 'CredentialUsed' : kind;
    if (!omitted.repeats(type, at, count)) omitted.begin(type, at, recordsOmitted(type), count);
  }

  async function eventOf({ facts, count, firstAt, lastAt }: Counted<AccessFacts>): Promise<NewEvent | null> {
    const told = await facts.data();
    if (told === null) return null;
    const { type, metadata } = facts;
    const data = { ...told, count, firstAt: iso(firstAt), lastAt: iso(lastAt) };
    return {
      ...{ id: newEventId(), type, schemaVersion: versions.get(type)!, time: clock().toISOString() },
      data: catalogue.parse(type, data),
      metadata,
    };
  }

  async function write(all: boolean): Promise<void> {
    const at = now();
    for (const tally of [...tallies.values(), omitted])
      for (const each of tally.take(at, all)) {
        const { type } = each.facts;
        const room = (tally === omitted ? MOST_OMITTED : 0) + MOST_WAITING - counted.length - waiting.length;
        if (room > 0) counted.push(each);
        else if (type !== 'AccessRecordsOmitted') omit(type, at, each.count);
      }
    while (counted.length > 0) {
      const batch = counted.slice(0, BATCH);
      const events = await Promise.all(batch.map(eventOf));
      counted = counted.slice(batch.length);
      waiting.push(...events.filter((event) => event !== null));
    }
    // An epoch begins before its first event.
    if (waiting.length > 0) await identity.current();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      await stream.append(batch);
      waiting = waiting.slice(batch.length);
    }
  }

  /** One at a time: while the store is slow, later ones have more to write. */
  const writeSoon = () =>
    (writing ??= write(false)
      .catch((error: unknown) => log.error({ err: error }, 'access log not written; tried again later'))
      .finally(() => {
        writing = undefined;
      }));

  return {
    credentialUsed(principal, request) {
      const { kind, id } = principal.credential;
      const { deployToken } = principal;
      if (deployToken) {
        const facts = () => deployTokenUsed({ ...principal, deployToken }, metadataOf(principal, request));
        return note('DeployTokenUsed', `${id} ${request.clientAddress}`, facts);
      }
      const { clientAddress } = request;
      let used = lastUses.get(principal);
      if (used?.clientAddress !== clientAddress) {
        used = { clientAddress, cause: `${kind} ${id ?? `of ${ownerOf(principal)}`} ${clientAddress}` };
        lastUses.set(principal, used);
      }
      note('CredentialUsed', used.cause, () => credentialUsed(principal, request));
    },
    credentialRefused(reason, request, account) {
      const cause = `${reason} ${request.clientAddress} ${shortened(account)}`;
      note('CredentialRefused', cause, () => credentialRefused(reason, request, account, ports));
    },
    repositoryFetched(projectId, operation, request) {
      const cause = `${projectId} ${operation} ${callerOf(request)}`;
      note('RepositoryFetched', cause, () => repositoryFetched(projectId, operation, request));
    },
    answered(request, status) {
      const place = refusedPlace(request, status);
      if (!place) return;
      const cause = `${status} ${place.endpoint} ${callerOf(request)} ${shortened(place.named)}`;
      note('AccessRefused', cause, () => accessRefused(place, request, ports));
    },
    start() {
      timer = setInterval(writeSoon, WRITE_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await write(true);
    },
  };
}

export const NO_ACCESS_LOG: AccessLog = {
  credentialUsed() {},
  credentialRefused() {},
  repositoryFetched() {},
  answered() {},
  start() {},
  async stop() {},
};

const iso = (ms: number) => new Date(ms).toISOString();
const shortened = (text: number | string | undefined) => String(text ?? '').slice(0, LONGEST_NAMED);
const callerOf = ({ principal, clientAddress }: RequestRecord) =>
  `${callerKey(principal ?? null)} ${principal?.credential.id ?? ''} ${clientAddress}`;
