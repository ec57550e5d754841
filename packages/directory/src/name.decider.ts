import { createHash } from 'node:crypto';
import type { NameEvent } from '@forgelog/contracts/shared/route.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/**
 * Names that only one may hold at a time: paths below a namespace, and mail addresses. Each is a stream, so two
 * who want the same name meet in one expected revision.
 */
export interface NameState {
  holder: { kind: Holder; id: number; claimedAt: string | null } | null;
}
export type Holder = 'user' | 'group' | 'project';

export type NameCommand =
  /** `isAbandoned`: the present holder never came to be (its creation broke off after the claim). */
  | { type: 'ClaimName'; holder: Holder; holderId: number; isAbandoned: boolean; claimedAt?: string }
  | { type: 'ReleaseName'; holder: Holder; holderId: number };

/** Thrown when someone else holds the name. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

export const routeStream = (parentId: number | null, path: string) =>
  `route-${parentId ?? 0}/${path.toLowerCase()}`;
export const emailStream = (email: string) =>
  `email-${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;

export const nameDecider: Decider<NameState, NameCommand, NameEvent> = {
  initialState: { holder: null },
  decide(command, { holder }) {
    const isMine = holder?.kind === command.holder && holder.id === command.holderId;
    const data = { holder: command.holder, holderId: command.holderId };
    switch (command.type) {
      case 'ClaimName':
        // A claim that is made again is as young as the new one.
        if (isMine && (command.claimedAt ?? null) === holder.claimedAt) return [];
        if (holder && !isMine && !command.isAbandoned) throw new NameTakenError();
        return [{ type: 'NameClaimed', data: { ...data, claimedAt: command.claimedAt } }];
      case 'ReleaseName':
        return isMine ? [{ type: 'NameReleased', data }] : [];
      default:
        return command satisfies never;
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'NameClaimed':
        return {
          holder: {
            kind: event.data.holder,
            id: event.data.holderId,
            claimedAt: event.data.claimedAt ?? null,
          },
        };
      case 'NameReleased':
        return { holder: null };
      default:
        event satisfies never;
        return state;
    }
  },
};
