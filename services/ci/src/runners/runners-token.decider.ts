import type { RunnersTokenEvent } from '@forgelog/contracts/ci/runners/runners-token.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import type { RunnersPlace } from '@forgelog/service-kit/instance-key.ts';

export interface RunnersTokenCommand {
  type: 'ResetRunnersToken';
  place: RunnersPlace;
}

export const runnersTokenStream = ({ kind, id }: RunnersPlace) => `runnersToken-${kind}-${id}`;

/** The state is the number of resets. */
export const runnersTokenDecider: Decider<number, RunnersTokenCommand, RunnersTokenEvent> = {
  initialState: 0,
  decide({ place: { kind, id } }, resets) {
    const data = {
      projectId: kind === 'project' ? id : null,
      groupId: kind === 'group' ? id : null,
      resets: resets + 1,
    };
    return [{ type: 'RunnersTokenReset', data }];
  },
  evolve: (_, { data }) => data.resets,
};
