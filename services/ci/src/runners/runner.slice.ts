import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { placeRunnerRoutes } from './place-runner.routes.ts';
import { runnerRoutes } from './runner.routes.ts';
import { runnerAgentRoutes } from './runner-agent.routes.ts';
import { createRunnerContacts } from './runner-contacts.ts';
import { runnerPolicies } from './runner-ends.policy.ts';
import { runnersProjection } from './runners.projection.ts';

export const runnerSlice = defineSlice<ServicePorts>({
  routes: [
    (ports) => {
      const contacts = createRunnerContacts(ports.clock);
      return [
        ...runnerAgentRoutes(ports, contacts),
        ...runnerRoutes(ports, contacts),
        ...placeRunnerRoutes(ports, contacts),
      ];
    },
  ],
  projections: [runnersProjection],
  policies: [runnerPolicies],
});
