import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import { runnerTokens } from './runner-tokens.ts';
import type { RunnerRow } from './runners.projection.ts';

const MOST = 10_000;

export type KnownRunners = ReturnType<typeof createKnownRunners>;

/** Runners by their token, until one changes: each agent asks for a job every few seconds. */
export function createKnownRunners(ports: ServicePorts) {
  const known = new ReadThrough<string, RunnerRow>(MOST);
  const tokens = runnerTokens(ports);
  return {
    runnerOf: (token: string) => known.read(token, () => tokens.runnerOf(token)),
    forgetAll: () => known.forgetAll(),
  };
}
