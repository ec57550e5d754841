import { z } from 'zod';
import { anyone, defineEndpoint } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';

const schema = z.looseObject({ $schema: z.string(), $id: z.string(), title: z.string() }).meta({
  examples: [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://forgelog.example/api/v4/event_schemas/IssueReopened/1',
      title: 'IssueReopenedData',
      type: 'object',
    },
  ],
});

export const getEventSchemas = defineEndpoint({
  service: 'gateway',
  id: 'event-schemas-get',
  method: 'GET',
  path: '/event_schemas',
  summary: 'The events that leave the system, as one JSON Schema with a definition for each type',
  spec: 'beyond the specification',
  access: anyone,
  params: {},
  response: schema,
});

export const getEventSchema = defineEndpoint({
  service: 'gateway',
  id: 'event-schema-get',
  method: 'GET',
  path: '/event_schemas/:type/:version',
  summary: 'The data of an event type as JSON Schema, in its current version or a released one',
  spec: 'beyond the specification',
  access: anyone,
  params: {
    type: described(required(text({ max: 100 })), 'The event type', { examples: ['IssueReopened'] }),
    version: described(required(int({ min: 1 })), 'Version of the data: `schemaversion` of an event'),
  },
  response: schema,
});

export const eventContractEndpoints = [getEventSchemas, getEventSchema];
