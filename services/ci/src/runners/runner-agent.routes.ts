import {
  registerRunner,
  unregisterRunner,
  verifyRunner,
} from '@forgelog/contracts/ci/runners/runner-agent.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json, noContent, value } from '@forgelog/service-kit/answer.ts';
import type { RunnersPlace } from '@forgelog/service-kit/instance-key.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type RunnerPlace, runnerDecider, runnerStream } from './runner.decider.ts';
import { registeredRunnerJson } from './runner.view.ts';
import { byAgent, needRunner } from './runner-agent.access.ts';
import type { RunnerContacts } from './runner-contacts.ts';
import { register } from './runner-registration.commands.ts';
import { runnerTokens } from './runner-tokens.ts';
import type { TokenGuesses } from './token-guesses.ts';

function placeOf({ kind, id }: RunnersPlace): RunnerPlace {
  return {
    runnerType: `${kind}_type`,
    groupId: kind === 'group' ? id : null,
    projectId: kind === 'project' ? id : null,
  };
}

export function runnerAgentRoutes(
  ports: ServicePorts,
  contacts: RunnerContacts,
  guesses: TokenGuesses,
): Implementation[] {
  const tokens = runnerTokens(ports);
  const known = { runners: tokens, guesses };
  const registeredView = registeredRunnerJson.renderer(ports);

  return [
    implement(registerRunner, async ({ params, origin }) => {
      const place = await tokens.placeOf(params.token);
      if (!place) {
        guesses.wrong(params.token, origin);
        throw new Rejection('forbidden', {});
      }
      guesses.right(`registration ${place.kind} ${place.id}`, origin);
      const metadata = byAgent(origin, { kind: 'registration_token', id: null });
      const registered = await register(ports, placeOf(place), params, metadata);
      if (params.info) contacts.contacted(registered.id, origin.clientAddress, params.info);
      return json(registeredView.one(registered));
    }),

    implement(verifyRunner, async ({ params, origin }) => {
      const runner = await needRunner(known, params.token, origin);
      contacts.contacted(runner.id, origin.clientAddress, undefined);
      return value('200');
    }),

    implement(unregisterRunner, async ({ params, origin }) => {
      const { id: runnerId } = await needRunner(known, params.token, origin);
      await ports.commands.handle(
        runnerDecider,
        runnerStream(runnerId),
        { type: 'RemoveRunner', runnerId, reason: 'unregistered', evenIfShared: true },
        byAgent(origin, { kind: 'runner', id: runnerId }),
      );
      return noContent();
    }),
  ];
}
