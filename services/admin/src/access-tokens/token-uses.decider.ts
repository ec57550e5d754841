import type { AccessTokensUsed } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface RecordTokenUses {
  type: 'RecordTokenUses';
  /** `YYYY-MM-DD` */
  day: string;
  uses: AccessTokensUsed['data']['uses'];
}

/** A stream a day: a stream of years would be read whole before each append of a new process. */
export const tokenUsesStream = (day: string) => `accessTokenUses-${day}`;

export const tokenUsesDecider: Decider<null, RecordTokenUses, AccessTokensUsed> = {
  initialState: null,
  decide: ({ day, uses }) =>
    uses.length === 0 ? [] : [{ type: 'PersonalAccessTokensUsed', data: { day, uses } }],
  evolve: (state) => state,
};
