import type { FeatureFlagsClientEvent } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface FeatureFlagsClientCommand {
  type: 'ResetFeatureFlagsClient';
  projectId: number;
}

export const featureFlagsClientStream = (projectId: number) => `featureFlagsClient-${projectId}`;

/** The state is the number of resets. */
export const featureFlagsClientDecider: Decider<number, FeatureFlagsClientCommand, FeatureFlagsClientEvent> =
  {
    initialState: 0,
    decide: ({ projectId }, resets) => [
      { type: 'FeatureFlagsClientReset', data: { projectId, resets: resets + 1 } },
    ],
    evolve: (_, { data }) => data.resets,
  };
