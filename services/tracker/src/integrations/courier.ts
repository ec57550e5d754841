import type { Posted } from '../web-hooks/guarded-post.ts';
import type { IntegrationRow } from './integrations.projection.ts';

/* biome-ignore lint/suspicious/noExplicitAny: bodies of hooks, each of a form of its own. */
export type HookBody = any;

/** Something to tell of one event, and what of it arrived at earlier attempts. */
export interface Telling {
  eventId: string;
  /** As hooks are told of it, in order; one at least. */
  bodies: readonly HookBody[];
  /** Parts that need no further attempt, and whether each arrived; kept from one attempt to the next. */
  done: Map<string, boolean>;
}

export interface Courier {
  /**
   * Whether it sends through a server of this instance. Integrations are not to blame when that fails: it is tried for
   * longer, and switches none of them off.
   */
  isOurs: boolean;
  /** Whether it tells of edits as well, such as a push to the branch of a merge request. */
  takesEdits: boolean;
  /** Undefined where there is nothing to say of it. */
  tell(row: IntegrationRow, telling: Telling, signal: AbortSignal): Promise<Posted | undefined>;
  close(): void;
}
