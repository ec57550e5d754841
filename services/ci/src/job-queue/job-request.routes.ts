import { requestJob } from '@forgelog/contracts/ci/runners/job-request.api.ts';
import { noContent, value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { byAgent, needRunner } from '../runners/runner-agent.access.ts';
import { handingOut } from './hand-out.commands.ts';

const LAST_UPDATE = 'X-GitLab-Last-Update';

export function jobRequestRoutes(ports: CiPorts): Implementation[] {
  const {
    jobQueue: queue,
    knownRunners: runners,
    tokenGuesses: guesses,
    runnerContacts,
    configuration,
  } = ports;
  const handOut = handingOut(ports);

  return [
    implement(requestJob, async ({ params, origin, signal }) => {
      const { token, info, last_update: lastUpdate } = params;
      // An agent that does not send the header back asks in its own rhythm.
      const heldMs = lastUpdate ? configuration.CI_LONG_POLL_SECONDS * 1000 : 0;
      const until = performance.now() + heldMs;
      for (;;) {
        const runner = await needRunner({ runners, guesses }, token, origin);
        runnerContacts.contacted(runner.id, origin.clientAddress, info);
        const since = queue.changes;
        const metadata = byAgent(origin, { kind: 'runner', id: runner.id });
        const job = await handOut(runner, { metadata, signal });
        const headers = { [LAST_UPDATE]: String(queue.changes) };
        if (job) return value(job, { status: 201, headers });
        const milliseconds = until - performance.now();
        const mayHaveOne = milliseconds > 0 && (await queue.wait(runner, { since, milliseconds, signal }));
        if (!mayHaveOne) return noContent(headers);
      }
    }),
  ];
}
