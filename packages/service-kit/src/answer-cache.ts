import type { Position } from '@forgelog/eventing/event.ts';
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';

/** A whole 200 with everything that is the same for all who ask for it. */
export interface WholeAnswer {
  body: string | Buffer;
  etag: string;
  /** Names and values in turn, as they are sent; complete but for the request's id. */
  headers: readonly string[];
  /** A byte in each character: copied as it is sent, not encoded. */
  isOneByte: boolean;
}

interface Asked {
  request: { method?: string };
  path: string;
  search: string;
  principal: Principal | null;
  position: Position;
}

/** What is known of a request's answer: the answer, or where to put it. */
export interface KnownAnswer {
  whole: WholeAnswer | undefined;
  keep: ((answer: WholeAnswer) => void) | undefined;
}

const ANSWERS = 500;
/** So many addresses that were asked for once are known at least, and at most twice as many. */
const ASKED = 1000;
/** Characters or bytes; a longer one is made anew each time. */
const LONGEST = 131_072;
const DAY_MS = 86_400_000;

/**
 * Answers of GET requests that follow from the read models, the caller and the day. While the log has not grown and
 * the day is the same, the same caller with the same credential gets the same answer to the same address: rights and
 * names are in the log as well. As soon as anything at all is appended all of it is forgotten, so nothing here can be
 * stale. An answer is kept when it is asked for a second time: most are not, and keeping those would have the memory's
 * manager carry them along. What is written while the log grows is kept for the place at which it began, and never found again.
 */
export class AnswerCache {
  readonly #clock: () => Date;
  readonly #answers = new LRUCache<string, WholeAnswer>({ max: ANSWERS });
  /** Two generations instead of an order, which nearly every request would change: most ask what nobody has asked. */
  #asked = new Set<string>();
  #askedBefore = new Set<string>();
  #position: Position = '';
  #day = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** undefined for what is not kept. */
  of({ request, path, search, principal, position }: Asked): KnownAnswer | undefined {
    if (request.method !== 'GET') return undefined;
    const day = Math.floor(this.#clock().getTime() / DAY_MS);
    if (position !== this.#position || day !== this.#day) {
      this.#answers.clear();
      this.#asked.clear();
      this.#askedBefore.clear();
      this.#position = position;
      this.#day = day;
    }
    const key = `${callerKey(principal)} ${path}?${search}`;
    const whole = this.#answers.get(key);
    if (whole) return { whole, keep: undefined };
    if (!this.#isAskedAgain(key)) return undefined;
    return {
      whole: undefined,
      keep: (answer) => {
        if (position === this.#position && day === this.#day && answer.body.length <= LONGEST)
          this.#answers.set(key, answer);
      },
    };
  }

  #isAskedAgain(key: string): boolean {
    if (this.#asked.has(key) || this.#askedBefore.has(key)) return true;
    if (this.#asked.size >= ASKED) {
      this.#askedBefore = this.#asked;
      this.#asked = new Set();
    }
    this.#asked.add(key);
    return false;
  }
}

const callers = new WeakMap<Principal, string>();

/** Scopes belong to the credential, rights to the user. Written once for the requests that share a principal. */
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
