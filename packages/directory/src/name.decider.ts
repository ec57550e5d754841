import { createHash } from 'node:crypto';
import type { NameEvent } from '@forgelog/contracts/shared/route.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** Unique paths, project names and email addresses. Each is a stream, so that concurrent claims conflict. */
export interface NameState {
  /** Number of claims so far; identifies the current claim, and grows when the holder claims again. */
  claims: number;
  holder: (NameHolder & { claimedAt: string | null }) | null;
}

export interface NameHolder {
  kind: 'user' | 'group' | 'project';
  id: number;
}

export type NameCommand =
  /** `over` is another holder's claim that may be taken over, because that holder can no longer use the name. */
  | { type: 'ClaimName'; holder: NameHolder; over: number | null; claimedAt: string }
  /** Releases exactly this claim, not a later one. */
  | { type: 'ReleaseName'; holder: NameHolder; claim: number };

export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
  /** Streams of the taken names. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super('someone else holds the name');
    this.names = names;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

export const routeStream = (parentId: number | null, path: string) =>
  `route-${parentId ?? 0}/${path.toLowerCase()}`;
/** No group has this path. Who holds it may change which group is in which: one at a time, so that no circle closes. */
export const GROUP_TREE = routeStream(null, '-');
export const emailStream = (email: string) => `email-${digest(email.toLowerCase())}`;
/** Project names are free text and case-sensitive. */
export const projectNameStream = (namespaceId: number, name: string) =>
  `projectName-${namespaceId}/${digest(name)}`;

export const isSameHolder = (one: NameHolder | null, other: NameHolder) =>
  one?.kind === other.kind && one.id === other.id;

export const nameDecider: Decider<NameState, NameCommand, NameEvent> = {
  initialState: { claims: 0, holder: null },
  decide(command, { claims, holder }) {
    const isMine = isSameHolder(holder, command.holder);
    const data = { holder: command.holder.kind, holderId: command.holder.id };
    switch (command.type) {
      case 'ClaimName':
        if (holder && !isMine && command.over !== claims) throw new NameTakenError([]);
        return [{ type: 'NameClaimed', data: { ...data, claimedAt: command.claimedAt } }];
      case 'ReleaseName':
        return isMine && command.claim === claims ? [{ type: 'NameReleased', data }] : [];
      default:
        return command satisfies never;
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'NameClaimed': {
        const { holder: kind, holderId: id, claimedAt = null } = event.data;
        return { claims: state.claims + 1, holder: { kind, id, claimedAt } };
      }
      case 'NameReleased':
        return { ...state, holder: null };
      default:
        event satisfies never;
        return state;
    }
  },
};
