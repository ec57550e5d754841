import type { AnyEndpoint, ParamRule } from '../endpoint.ts';
import type { JsonSchema, Param } from '../params.ts';

type Named = readonly (readonly [name: string, param: Param<unknown>])[];

/** Groups the parameters of an endpoint by their place in a request. */
export function placed(endpoint: AnyEndpoint): { path: Named; query: Named; body: Named } {
  const inPath = new Set([...endpoint.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name));
  const params = Object.entries(endpoint.params as Record<string, Param<unknown>>);
  const others = params.filter(([name]) => !inPath.has(name));
  const { method, bodyTypes } = endpoint;
  const reads = method === 'GET' || method === 'HEAD' || method === 'DELETE' || bodyTypes.length > 0;
  return {
    path: params.filter(([name]) => inPath.has(name)),
    query: reads ? others : [],
    body: reads ? [] : others,
  };
}

export function pathParameter([name, param]: Named[number]): JsonSchema {
  return { name, in: 'path', required: true, ...schemaAndText(param) };
}

export function queryParameter([name, param]: Named[number]): JsonSchema {
  const { type } = param.schema;
  const style =
    type === 'array'
      ? { name: `${name}[]`, style: 'form', explode: true }
      : type === 'object'
        ? { name, style: 'deepObject', explode: true }
        : { name };
  const required = param.presence === 'required';
  // Clients send an empty value for "none".
  const empty = required || param.emptyIsValue ? {} : { allowEmptyValue: true };
  return { ...style, in: 'query', required, ...empty, ...schemaAndText(param) };
}

/** Longer texts make the whole address too long, which has its own answer. */
const LONGEST_IN_ADDRESS = 8192;

function schemaAndText({ schema }: Param<unknown>): JsonSchema {
  const { description, nullable: _, maxLength, ...rest } = schema;
  const bound = Number(maxLength) <= LONGEST_IN_ADDRESS ? { maxLength } : {};
  return { ...(description === undefined ? {} : { description }), schema: { ...rest, ...bound } };
}

/** A body in JSON. Forms use the same names, so the document describes them once. */
export function requestBody(body: Named, rules: readonly ParamRule[]): JsonSchema {
  const needsOne = rules.some(({ kind }) => kind === 'at-least-one');
  const required = needsOne || body.some(([, { presence }]) => presence === 'required');
  const example = Object.fromEntries(
    body.flatMap(([name, { schema }]) =>
      schema.examples ? [[name, (schema.examples as unknown[])[0]]] : [],
    ),
  );
  return { required, content: { 'application/json': { schema: bodySchema(body, rules), example } } };
}

/** A body that is read as it arrives: a form with one file, or bytes. */
export function streamedBody(types: readonly string[]): JsonSchema {
  const file = { type: 'string', format: 'binary', description: 'The file' };
  const form = { type: 'object', properties: { file }, required: ['file'] };
  const schemaOf = (type: string) => (type === 'multipart/form-data' ? form : { type: 'string' });
  return {
    required: true,
    content: Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }])),
  };
}

function bodySchema(body: Named, rules: readonly ParamRule[]): JsonSchema {
  const conditions = rules.map((rule) => conditionOf(rule, body));
  return {
    ...objectInJson(
      Object.fromEntries(body.map(([name, { schema }]) => [name, schema])),
      body.filter(([, { presence }]) => presence === 'required').map(([name]) => name),
    ),
    ...(conditions.length > 1 ? { allOf: conditions } : conditions[0]),
  };
}

function conditionOf({ kind, names }: ParamRule, body: Named): JsonSchema {
  const given = (name: string): JsonSchema => {
    const param = body.find(([known]) => known === name)?.[1];
    // null counts as present if it clears a value, else as absent.
    return param?.nullable === true
      ? { required: [name] }
      : { required: [name], properties: { [name]: { not: { type: 'null' } } } };
  };
  switch (kind) {
    case 'exclusive':
      return { not: { allOf: names.map(given) } };
    case 'at-least-one':
      return { anyOf: names.map(given) };
    case 'all-or-none':
      return { anyOf: [{ allOf: names.map(given) }, { not: { anyOf: names.map(given) } }] };
    default:
      return kind satisfies never;
  }
}

/** The members of a JSON object, where null means "absent" unless it is a value. */
function objectInJson(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  const printed = Object.entries(properties).map(([name, schema]) => {
    const taken = inJson(schema);
    const mayBeNone = schema.nullable || !required.includes(name);
    return [name, mayBeNone ? orNull(orEmpty(taken)) : taken];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(printed),
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * The JSON that a decoder accepts: texts also as numbers or booleans, flags as 0 or 1, lists as their single item.
 * Files cannot be sent in JSON.
 */
function inJson({ nullable: _, ...schema }: JsonSchema): JsonSchema {
  const { type, format, items, properties, required, ...rest } = schema;
  if (format === 'binary') return { type: 'null', description: schema.description };
  if (schema.enum !== undefined || type === undefined) return schema;
  if (type === 'boolean') return { ...schema, type: ['boolean', 'integer'], minimum: 0, maximum: 1 };
  if (type === 'string' && format === undefined) return { ...schema, type: ['string', 'number', 'boolean'] };
  if (type === 'array') return listInJson(schema, inJson(items as JsonSchema));
  if (type === 'object' && properties !== undefined)
    return {
      ...rest,
      ...objectInJson(properties as Record<string, JsonSchema>, (required ?? []) as string[]),
    };
  return schema;
}

/** A list, or its single item if items are plain values. */
function listInJson(schema: JsonSchema, items: JsonSchema): JsonSchema {
  const { type, minimum, maximum, maxLength, properties } = items;
  if (type === undefined || items.enum !== undefined || properties !== undefined) return { ...schema, items };
  const bounds = Object.entries({ minimum, maximum, maxLength }).filter(([, bound]) => bound !== undefined);
  return { ...schema, ...Object.fromEntries(bounds), type: ['array', type].flat(), items };
}

/** An empty text means "absent" for texts with a format. */
function orEmpty(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'string' || schema.format === undefined || schema.format === 'binary') return schema;
  const { description, ...either } = schema;
  return { description, anyOf: [either, { type: 'string', maxLength: 0 }] };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (type === 'null') return schema;
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  if (type !== undefined && schema.enum === undefined) return { ...schema, type: [type, 'null'].flat() };
  const { description, default: value, ...either } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    anyOf: [either, { type: 'null' }],
  };
}

/** Rules across query parameters in words, because OpenAPI cannot express them. */
export function ruleText({ kind, names }: ParamRule): string {
  const listed = names.map((name) => `\`${name}\``).join(', ');
  switch (kind) {
    case 'exclusive':
      return `At most one of ${listed}.`;
    case 'at-least-one':
      return `At least one of ${listed}.`;
    case 'all-or-none':
      return `All of ${listed}, or none.`;
    default:
      return kind satisfies never;
  }
}
