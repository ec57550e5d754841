import { z } from 'zod';
import { anyone, defineEndpoint } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { runnerAttributes, runnerInfo, untagged } from './runner.params.ts';
import { registeredRunnerView } from './runner.views.ts';

/* What an agent calls. It tells who it is by a token among the parameters. */

const common = { service: 'ci', access: anyone } as const;
const runnerToken = described(required(text({ max: 255 })), 'Token of the runner', {
  examples: ['glrt-of-a-runner'],
});

export const registerRunner = defineEndpoint({
  ...common,
  id: 'runner-register',
  method: 'POST',
  path: '/runners',
  summary: 'Register a runner; its token is in this answer and nowhere else',
  spec: 'companions 2.10',
  params: {
    token: described(
      required(text({ max: 255 })),
      'Token that registers runners of the instance, of a group or of a project',
      { examples: ['GR1348941-of-a-project'] },
    ),
    ...runnerAttributes,
    run_untagged: untagged,
    info: runnerInfo,
  },
  status: 201,
  response: registeredRunnerView,
});

export const verifyRunner = defineEndpoint({
  ...common,
  id: 'runner-verify',
  method: 'POST',
  path: '/runners/verify',
  summary: 'Ask whether the token of a runner is still good',
  spec: 'companions 2.10',
  params: { token: runnerToken },
  status: 200,
  response: z.literal('200').meta({ examples: ['200'] }),
});

export const unregisterRunner = defineEndpoint({
  ...common,
  id: 'runner-unregister',
  method: 'DELETE',
  path: '/runners',
  summary: 'Remove a runner by its own token',
  spec: 'companions 2.10',
  params: { token: runnerToken },
  status: 204,
});

export const runnerAgentEndpoints = [registerRunner, verifyRunner, unregisterRunner];
