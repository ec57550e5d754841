import { describe, expect, test } from 'vitest';
import { endpoints, resources } from '../endpoints.ts';
import { errorTable } from '../error-table.ts';
import { decodeParams, type JsonSchema, type RawValue } from '../params.ts';
import { defineView } from '../views.ts';
import { printOpenApi } from './openapi.ts';

const document = printOpenApi(resources, 'https://forgelog.example', '14.3.0');
const schemas = (document.components as { schemas: Record<string, JsonSchema> }).schemas;
const shared = (document.components as { responses: Record<string, Answer> }).responses;
const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(
  (path) => Object.values(path),
);

interface Answer {
  $ref?: string;
  content?: Record<
    string,
    { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { name: string; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: Record<string, RawValue> }> };
  responses: Record<string, Answer>;
}

/** Yields every object and array with its path, parents first. */
function* within(value: unknown, at = '#'): Generator<[at: string, value: JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  yield [at, value as JsonSchema];
  for (const [name, member] of Object.entries(value))
    yield* within(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

const isObject = ({ type, properties }: JsonSchema) => type === 'object' && properties !== undefined;

test('a resource has one path: its parameters have the same names for each method', () => {
  const paths = Object.keys(document.paths as object);
  const byShape = Map.groupBy(paths, (path) => path.replace(/\{\w+\}/g, '{}'));
  expect([...byShape.values()].filter(({ length }) => length > 1)).toEqual([]);
});

describe('the document', () => {
  test('resolves every reference', () => {
    const places = new Map(within(document));
    const references = [...places.values()].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((reference) => !places.has(reference))).toEqual([]);
  });

  test('names each view uniquely', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Issue', 'Project', 'Group', 'Commit', 'User']),
    );
    expect(() => defineView('Issue', {})).toThrow('two views are named Issue');
  });

  test('has a name for every object of an answer', () => {
    // These documents are described by their own formats.
    const inline = ['openapi-get', 'asyncapi-get', 'event-schemas-get', 'event-schema-get'];
    const answers = operations.filter(({ operationId }) => !inline.includes(operationId));
    const nameless = [
      ...answers.map(({ operationId, responses }) => [operationId, responses]),
      ...namedParts(),
    ]
      .flatMap(([name, part]) => [...within(part, String(name))])
      .flatMap(([at, schema]) => (isObject(schema) ? [at] : []));
    expect(nameless).toEqual([]);
  });
});

describe('refusals', () => {
  const documented = Object.entries(shared).flatMap(([name, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(([code, { value }]) => ({
      name,
      code,
      value,
    })),
  );

  test('document exactly the rows of the error table', () => {
    expect(documented.map(({ code }) => code).sort()).toEqual(Object.keys(errorTable).sort());
  });

  test.each(documented)('$code has an example of its shape', ({ code, value }) => {
    const { view } = errorTable[code as keyof typeof errorTable];
    expect(view.safeParse(value)).toMatchObject({ success: true });
  });

  test('appear at every operation that can return them', () => {
    for (const { operationId, responses } of operations) {
      const { otherStatuses, status } = endpoints.find(({ id }) => id === operationId)!;
      const known = [...otherStatuses, status, 400, 401, 403, 404, 500, 503].map(String);
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(known));
    }
  });
});

describe('what a reader sees', () => {
  /** Each parameter and body member with its path. */
  const described = operations.flatMap(({ operationId, parameters, requestBody }) => [
    ...parameters.map(({ name, description }) => ({ at: `${operationId} ${name}`, description })),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      [...within(schema, operationId)]
        .filter(([at]) => /\/properties\/\w+$/.test(at) && !/\/(anyOf|allOf|not)\//.test(at))
        .map(([at, { description }]) => ({ at, description: description as string | undefined })),
    ),
  ]);

  test('has a description of every parameter', () => {
    expect(described.length).toBeGreaterThan(500);
    expect(
      described.filter(({ description }) => !description).map(({ at }) => at),
      'say what the parameter means by described(…) in its contract',
    ).toEqual([]);
  });

  test('reads one short plain sentence for each', () => {
    const odd = described.filter(
      ({ description = '' }) => description.length > 120 || /\.$|^[a-z]/.test(description),
    );
    expect(odd, 'begin with a capital, end without a full stop, 120 characters at most').toEqual([]);
  });

  test.each(endpoints.filter(({ response }) => response !== null))(
    'finds a true example of what $id answers',
    ({ id, status, response }) => {
      const { responses } = operations.find(({ operationId }) => operationId === id)!;
      const { example } = responses[status]!.content!['application/json']!;
      expect(
        response!.safeParse(example),
        'its view has a true example in the <noun>.examples.json, given to defineView',
      ).toMatchObject({ success: true });
    },
  );

  test('offers example bodies that the decoders accept', () => {
    for (const { operationId, requestBody } of operations.filter(({ requestBody }) => requestBody)) {
      if (!requestBody!.content['application/json']) continue;
      const { example } = requestBody!.content['application/json'];
      expect(Object.keys(example!).length, operationId).toBeGreaterThan(0);
      const { params, path } = endpoints.find(({ id }) => id === operationId)!;
      const inPath = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, '1']));
      const problems: string[] = [];
      decodeParams(params, { ...example, ...inPath }, problems);
      expect(problems, operationId).toEqual([]);
    }
  });

  test('lists every operation under a described resource', () => {
    const tags = document.tags as { name: string; description: string }[];
    expect(tags.every(({ description }) => description.length > 10)).toBe(true);
    const known = tags.map(({ name }) => name);
    expect([...new Set(operations.flatMap((operation) => operation.tags))]).toEqual(known);
  });

  test('contains no links to private places', () => {
    expect(JSON.stringify(document)).not.toMatch(/\bL\d{2,3}\b|companions|api-v4|beyond the specification/i);
  });
});

const namedParts = () => Object.entries(schemas).map(([name, { properties }]) => [name, properties]);
