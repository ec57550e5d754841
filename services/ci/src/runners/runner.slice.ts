import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { placeRunnerRoutes } from './place-runner.routes.ts';
import { runnerRoutes } from './runner.routes.ts';
import { runnerAgentRoutes } from './runner-agent.routes.ts';
import type { RunnerContacts } from './runner-contacts.ts';
import { runnerPolicies } from './runner-ends.policy.ts';
import { runnersProjection } from './runners.projection.ts';
import type { TokenGuesses } from './token-guesses.ts';

/** @param changed called whenever a runner may be another one than before */
export const runnerSlice = (contacts: RunnerContacts, changed: () => void, guesses: TokenGuesses) =>
  defineSlice<ServicePorts>({
    routes: [runnerAgentRoutes, runnerRoutes, placeRunnerRoutes].map(
      (routes) => (ports) => routes(ports, contacts, guesses),
    ),
    projections: [{ ...runnersProjection, applied: changed }],
    policies: [runnerPolicies],
  });
