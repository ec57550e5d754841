import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import type { Access, AnyEndpoint } from '../endpoint.ts';
import type { Resource } from '../endpoints.ts';
import { listParams } from '../page.params.ts';
import type { JsonSchema } from '../params.ts';
import {
  pathParameter,
  placed,
  queryParameter,
  requestBody,
  ruleText,
  streamedBody,
} from './openapi-parameters.ts';
import { responsesOf, sharedResponses } from './openapi-responses.ts';

/** Prints the OpenAPI 3.1 document. `serverUrl` is the instance's external URL. */
export function printOpenApi(resources: readonly Resource[], serverUrl: string, version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { name, endpoints } of resources) {
    for (const endpoint of endpoints) {
      const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}');
      paths[path] ??= {};
      paths[path][endpoint.method.toLowerCase()] = operation(endpoint, name);
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Forgelog',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${serverUrl}/api/v4`, description: 'This instance' }],
    tags: resources.map(({ name, description }) => ({ name, description })),
    security: CREDENTIALS,
    components: {
      securitySchemes: {
        privateToken: {
          type: 'apiKey',
          in: 'header',
          name: 'PRIVATE-TOKEN',
          description: 'A personal access token',
        },
        jobToken: {
          type: 'apiKey',
          in: 'header',
          name: 'JOB-TOKEN',
          description: 'The token of a running job',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token' },
        basic: {
          type: 'http',
          scheme: 'basic',
          description:
            'Any name with a personal access token, `gitlab-ci-token` with the token of a job, or a deploy token with its name',
        },
      },
      ...sharedResponses(),
    },
    paths,
  } as ZodOpenApiObject;
  // Views become named components; plain JSON schema passes unchanged.
  return createDocument(document, { override: printed }) as unknown as JsonSchema;
}

const CREDENTIALS: Record<string, string[]>[] = [{ privateToken: [] }, { bearer: [] }];

const INTRODUCTION = `Git repository hosting behind one REST API.

**Credentials.** A personal access token goes into the header \`PRIVATE-TOKEN\`, or as \`Authorization: Bearer …\`.
Administrators act as somebody else with the header \`Sudo\` and an id or a username.

**Addresses.** The full path of a project or a group, the path of a file and the name of a branch or tag are one segment
each: a \`/\` in them is written \`%2F\`.

**Bodies** are JSON. \`application/x-www-form-urlencoded\` and \`multipart/form-data\` are taken likewise, lists as
\`labels[]=a&labels[]=b\`, objects as \`not[labels]=a\`. A text never holds a NUL character. Values are also taken as
forms spell them: numbers and flags as text, \`yes\`, \`on\` and \`t\` for true, a list as one text with commas
between, times without seconds or zone.

**Lists** come in pages of 20 records; \`page\` and \`per_page\` choose others, \`pagination=keyset\` pages that go on
after a record. The header \`Link\` has the addresses of the pages around.

**Refusals** say in \`message\` or in \`error\` what is wrong. An address that is none of this API answers 404, a method
that it does not take 405 with the header \`Allow\`, an address of more than 64 KiB 414. What the caller may not see
answers like what does not exist.

**Caching.** An answer to a GET has an \`ETag\`; with \`If-None-Match\` the same answer is a 304 without a body.`;

/** int64 for clients, instead of the sixteen-digit bounds of a double. */
function printed({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.type !== 'integer') return;
  jsonSchema.format = 'int64';
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function operation(endpoint: AnyEndpoint, tag: string): JsonSchema {
  const { path, query, body } = placed(endpoint);
  return {
    operationId: endpoint.id,
    tags: [tag],
    summary: endpoint.summary,
    description: [
      accessText(endpoint.access),
      `Scopes: ${endpoint.scopes.join(' or ')}.`,
      `Tier: ${endpoint.tier}.`,
      ...endpoint.rules.map(ruleText),
    ].join(' '),
    parameters: [
      ...path.map(pathParameter),
      ...query.map(queryParameter),
      ...Object.entries(listParams(endpoint)).map(queryParameter),
    ],
    ...(body.length === 0 ? {} : { requestBody: requestBody(body, endpoint.rules) }),
    ...(endpoint.bodyTypes.length === 0 ? {} : { requestBody: streamedBody(endpoint.bodyTypes) }),
    responses: responsesOf(endpoint),
    security: [
      ...credentialsOf(endpoint.access),
      ...(endpoint.jobToken ? [{ jobToken: [] }] : []),
      ...(endpoint.basic ? [{ basic: [] }] : []),
    ],
  };
}

function credentialsOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'job') return [{ jobToken: [] }];
  return needsCredentials(access) ? CREDENTIALS : [...CREDENTIALS, {}];
}

function needsCredentials(access: Exclude<Access, { kind: 'job' }>): boolean {
  if (access.kind === 'project' || access.kind === 'group') return access.signedIn;
  return access.kind !== 'anyone';
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'anyone':
      return 'Open to anybody; shows what the caller may see.';
    case 'user':
      return 'Needs credentials.';
    case 'administrator':
      return 'For administrators.';
    case 'job':
      return 'For runners, with the token of a running job.';
    case 'project':
    case 'group':
      return access.role === 'anyone'
        ? `For callers who may see the ${access.kind}${access.signedIn ? ', with credentials' : ''}.`
        : `Needs at least the role ${access.role} in the ${access.kind}.`;
    default:
      return access satisfies never;
  }
}
