import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import type { Access, AnyEndpoint } from './endpoint.ts';
import { responsesOf, sharedResponses } from './openapi-responses.ts';
import type { JsonSchema, Param } from './params.ts';

/** The OpenAPI 3.1 document of the endpoint table. `serverUrl` is the instance's external address. */
export function printOpenApi(
  endpoints: readonly AnyEndpoint[],
  serverUrl: string,
  version: string,
): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Forgelog',
      version,
      description: 'Git repository hosting behind one REST API. Tokens go into the PRIVATE-TOKEN header.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${serverUrl}/api/v4` }],
    security: [{ privateToken: [] }, { bearer: [] }, {}],
    components: {
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      ...sharedResponses(),
    },
    paths,
  } as ZodOpenApiObject;
  // Views become components by their names; what is plain JSON schema goes through as it is.
  return createDocument(document, { override: printed }) as unknown as JsonSchema;
}

/** Whole numbers are what a double can hold: 64 bits for clients, and no bounds of sixteen digits for readers. */
function printed({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.type !== 'integer') return;
  jsonSchema.format = 'int64';
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function operation(endpoint: AnyEndpoint): JsonSchema {
  const inPath = new Set([...endpoint.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!));
  const params = Object.entries(endpoint.params as Record<string, Param<unknown>>);
  const others = params.filter(([name]) => !inPath.has(name));
  const reads = endpoint.method === 'GET' || endpoint.method === 'HEAD' || endpoint.method === 'DELETE';
  return {
    operationId: endpoint.id,
    tags: [areaOf(endpoint.path)],
    summary: endpoint.summary,
    description: `${accessText(endpoint.access)} Scopes: ${endpoint.scopes.join(' or ')}. Tier: ${endpoint.tier}. Specified in ${endpoint.spec}.`,
    parameters: [
      ...params
        .filter(([name]) => inPath.has(name))
        .map(([name, param]) => ({ name, in: 'path', required: true, schema: schemaOf(param) })),
      ...(reads ? others.map(([name, param]) => queryParameter(name, param)) : []),
      ...pageParameters(endpoint),
    ],
    ...(reads || others.length === 0 ? {} : { requestBody: requestBody(others) }),
    responses: responsesOf(endpoint),
  };
}

/** The resource that a path is about, by which the reference is arranged: `/projects/:id/issues/…` → issues. */
function areaOf(path: string): string {
  const [first, , inside, ...rest] = path.split('/').filter((segment) => segment !== '');
  if ((first !== 'projects' && first !== 'groups') || inside === undefined || inside.startsWith(':'))
    return first!;
  return inside === 'repository' && rest[0] !== undefined
    ? `repository ${rest[0].replace(/\W.*/, '')}`
    : inside;
}

function queryParameter(name: string, param: Param<unknown>): JsonSchema {
  const schema = schemaOf(param);
  const style =
    schema.type === 'array'
      ? { name: `${name}[]`, style: 'form', explode: true }
      : schema.type === 'object'
        ? { name, style: 'deepObject', explode: true }
        : { name };
  return { ...style, in: 'query', required: param.presence === 'required', schema };
}

function pageParameters({ pagination, cursor }: AnyEndpoint): JsonSchema[] {
  if (pagination === 'none') return [];
  const number = (name: string, schema: JsonSchema) => ({
    name,
    in: 'query',
    schema: { type: 'integer', ...schema },
  });
  return [
    number('page', { minimum: 1, default: 1 }),
    number('per_page', { minimum: 1, default: 20, description: 'More than 100 counts as 100' }),
    { name: 'pagination', in: 'query', schema: { type: 'string', enum: ['keyset', 'legacy'] } },
    {
      name: cursor,
      in: 'query',
      schema: {
        type: 'string',
        description: 'Of keyset pages: where the next one begins, from the Link header',
      },
    },
  ];
}

function requestBody(params: readonly [string, Param<unknown>][]): JsonSchema {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(params.map(([name, param]) => [name, schemaOf(param)])),
    required: params.filter(([, param]) => param.presence === 'required').map(([name]) => name),
  };
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** JSON schema of 2020-12 says null as a type of its own. */
function schemaOf({ schema }: Param<unknown>): JsonSchema {
  const { nullable, ...rest } = schema;
  if (!nullable) return rest;
  return typeof rest.type === 'string' && rest.enum === undefined
    ? { ...rest, type: [rest.type, 'null'] }
    : { anyOf: [rest, { type: 'null' }] };
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'anyone':
      return 'Open to anybody; shows what the caller may see.';
    case 'user':
      return 'Needs credentials.';
    case 'administrator':
      return 'For administrators.';
    case 'project':
    case 'group':
      return access.role === 'anyone'
        ? `For whoever may see the ${access.kind}${access.signedIn ? ', with credentials' : ''}.`
        : `Needs the role ${access.role} in the ${access.kind} or more.`;
    default:
      return access satisfies never;
  }
}
