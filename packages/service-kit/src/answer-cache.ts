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
/** Lower bound of the addresses that are remembered after one request; the upper bound is twice this. */
const MIN_SEEN = 1000;
/** Characters or bytes; longer answers are not cached. */
const MAX_LENGTH = 131_072;
const DAY_MS = 86_400_000;

/**
 * Caches GET answers that depend only on the read models, the caller and the day. Any append to the log empties it:
 * rights and names are events too, so a hit is never stale.
 * An answer is stored on its second request: most are asked for once, and the garbage collector would carry them
 * along. An entry computed while the log advanced is dropped with the old position and never hit.
 */
export class AnswerCache {
  readonly #clock: () => Date;
  readonly #answers = new LRUCache<string, CachedAnswer>({ max: MAX_ANSWERS });
  /** Two generations instead of an LRU order, which nearly every request would update. */
  #seen = new Set<string>();
  #seenBefore = new Set<string>();
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
      this.#seen.clear();
      this.#seenBefore.clear();
      this.#position = position;
      this.#day = day;
    }
    const key = `${callerKey(principal)} ${path}?${search}`;
    const hit = this.#answers.get(key);
    if (hit) return { hit, store: undefined };
    if (!this.#isSecondRequest(key)) return undefined;
    return {
      hit: undefined,
      store: (answer) => {
        if (position === this.#position && day === this.#day && answer.body.length <= MAX_LENGTH)
          this.#answers.set(key, answer);
      },
    };
  }

  #isSecondRequest(key: string): boolean {
    if (this.#seen.has(key) || this.#seenBefore.has(key)) return true;
    if (this.#seen.size >= MIN_SEEN) {
      this.#seenBefore = this.#seen;
      this.#seen = new Set();
    }
    this.#seen.add(key);
    return false;
  }
}

const callers = new WeakMap<Principal, string>();

/** Keyed by credential, because scopes belong to it. Computed once per principal. */
function callerKey(principal: Principal | null): string {
  if (principal === null) return '';
  let key = callers.get(principal);
  if (key === undefined) {
    const { userId, credential, onBehalfBy } = principal;
    key = `${userId} ${credential.kind} ${credential.id} ${onBehalfBy} ${principal.scopes.join()}`;
    callers.set(principal, key);
  }
  return key;
}
