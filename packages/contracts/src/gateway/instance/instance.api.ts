import { z } from 'zod';
import { anyone, defineEndpoint, user } from '../../endpoint.ts';
import { defineView } from '../../views.ts';
import examples from './instance.examples.json' with { type: 'json' };

const version = z.string().regex(/^\d+\.\d+\.\d+/);

export const getVersion = defineEndpoint({
  service: 'gateway',
  id: 'version-get',
  method: 'GET',
  path: '/version',
  summary: 'Version of the API that the instance speaks, and revision of the program',
  spec: 'companions 2.1',
  access: user,
  scopes: ['api', 'read_api', 'read_user'],
  params: {},
  response: defineView('Version', { version, revision: z.string() }, examples.Version),
});

export const getMetadata = defineEndpoint({
  service: 'gateway',
  id: 'metadata-get',
  method: 'GET',
  path: '/metadata',
  summary: 'What the instance is: its version, and the parts that clients look for',
  spec: 'beyond the specification, for newer clients',
  access: user,
  scopes: ['api', 'read_api', 'read_user'],
  params: {},
  response: defineView(
    'Metadata',
    {
      version,
      revision: z.string(),
      /** The agent server for clusters, which does not exist here. */
      kas: defineView('AgentServer', {
        enabled: z.literal(false),
        externalUrl: z.null(),
        externalK8sProxyUrl: z.null(),
        version: z.null(),
      }),
      /** Whether the instance has a paid edition. */
      enterprise: z.boolean(),
    },
    examples.Metadata,
  ),
});

export const getOpenApi = defineEndpoint({
  service: 'gateway',
  id: 'openapi-get',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This reference as an OpenAPI 3.1 document',
  spec: 'beyond the specification',
  access: anyone,
  params: {},
  response: z
    .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
    .meta({ examples: [{ openapi: '3.1.0', paths: {} }] }),
});

export const getAsyncApi = defineEndpoint({
  service: 'gateway',
  id: 'asyncapi-get',
  method: 'GET',
  path: '/asyncapi.json',
  summary: 'The events that leave the system, as an AsyncAPI 3.0 document',
  spec: 'beyond the specification',
  access: anyone,
  params: {},
  response: z
    .looseObject({ asyncapi: z.string(), channels: z.record(z.string(), z.unknown()) })
    .meta({ examples: [{ asyncapi: '3.0.0', channels: {} }] }),
});

export const instanceEndpoints = [getVersion, getMetadata, getOpenApi, getAsyncApi];
