import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';

export interface CachedAnswer {
  body: string | Buffer;
  etag: string;
  /** Names and values in turn, ready to send; only the request id is missing. */
  headers: readonly string[];
  /** Each character is one byte: Node copies the text instead of encoding it. */
  isOneByte: boolean;
}

interface CacheableRequest {
  request: { method?: string };
  path: string;
  search: string;
  principal: Principal | null;
  position: Position;
}

export interface CacheLookup {
  hit: CachedAnswer | undefined;
  store: ((answer: CachedAnswer) => void) | undefined;
}

const MAX_ANSWERS = 500;
/** A power of two. */
const SEEN = 16_384;
/** Characters or bytes; longer answers are not cached. */
const MAX_LENGTH = 131_072;
const DAY_MS = 86_400_000;

/** The token of a job is read by the service alone: to the cache all of its callers look like one. */
export const isCacheable = ({ access }: AnyEndpoint): boolean => access.kind !== 'job';

/**
 * Caches GET answers that depend only on the read models, the caller and the day. Any append to the log empties it:
 * rights and names are events too, so a hit is never stale.
 * An answer is stored on its second request: most are asked for once, and the garbage collector would carry them
 * along. An entry computed while the log advanced is dropped with the old position and never hit.
 */
export class AnswerCache {
  readonly #clock: () => Date;
  readonly #answers = new LRUCache<string, CachedAnswer>({ max: MAX_ANSWERS });
  /** Fingerprints of addresses. Several share a place, where the latest one stays. */
  readonly #seen = new Int32Array(SEEN);
  #generation = 0;
  #position: Position = '';
  #day = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  lookup({ request, path, search, principal, position }: CacheableRequest): CacheLookup | undefined {
    if (request.method !== 'GET') return undefined;
    const day = Math.floor(this.#clock().getTime() / DAY_MS);
    if (position !== this.#position || day !== this.#day) {
      this.#answers.clear();
      this.#generation++;
      this.#position = position;
      this.#day = day;
    }
    const caller = callerOf(principal);
    if (!this.#isSecondRequest(caller, path, search)) return undefined;
    const key = `${caller.key} ${path}?${search}`;
    const hit = this.#answers.get(key);
    if (hit) return { hit, store: undefined };
    return {
      hit: undefined,
      store: (answer) => {
        if (position === this.#position && day === this.#day && answer.body.length <= MAX_LENGTH)
          this.#answers.set(key, answer);
      },
    };
  }

  #isSecondRequest(caller: Caller, path: string, search: string): boolean {
    const print = fingerprint(search, fingerprint(path, caller.fingerprint ^ this.#generation));
    const place = print & (SEEN - 1);
    if (this.#seen[place] === print) return true;
    this.#seen[place] = print;
    return false;
  }
}

/** FNV-1a. */
function fingerprint(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}

interface Caller {
  key: string;
  fingerprint: number;
}

const callers = new WeakMap<Principal, Caller>();
const ANYONE: Caller = { key: '', fingerprint: 0x811c9dc5 };

/** Keyed by credential, because scopes belong to it. Computed once per principal. */
function callerOf(principal: Principal | null): Caller {
  if (principal === null) return ANYONE;
  let caller = callers.get(principal);
  if (caller === undefined) {
    const { userId, credential, onBehalfBy } = principal;
    const key = `${userId} ${credential.kind} ${credential.id} ${onBehalfBy} ${principal.scopes.join()}`;
    caller = { key, fingerprint: fingerprint(key, ANYONE.fingerprint) };
    callers.set(principal, caller);
  }
  return caller;
}
