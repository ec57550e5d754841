import type { IncomingMessage } from 'node:http';
import { SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RawRecord } from '@forgelog/contracts/params.ts';
import { parsePairs } from '@forgelog/service-kit/raw-parameters.ts';
import { readBody } from '@forgelog/service-kit/request-body.ts';
import { invalidRequest, invalidScope } from './oauth-error.ts';

/** Texts by name; an empty one counts as missing (RFC 6749, 3.2). */
export interface OauthParameters {
  /** @throws OauthError for a repeated one, or one that is no text */
  text(name: string): string | undefined;
  /** @throws OauthError also for a missing one */
  required(name: string): string;
}

const MAX_BODY = 64 * 1024;
const MALFORMED: readonly string[] = ['malformed_body', 'unsupported_media_type', 'unsupported_encoding'];

function parametersIn(record: RawRecord): OauthParameters {
  function text(name: string): string | undefined {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw invalidRequest(`${name} is given twice, or is no text`);
    return value;
  }
  return {
    text,
    required(name) {
      const value = text(name);
      if (value === undefined) throw invalidRequest(`${name} is missing`);
      return value;
    },
  };
}

/** @throws OauthError for a body that cannot be read, Rejection 413 for one that is too large */
export const bodyParameters = (request: IncomingMessage): Promise<OauthParameters> =>
  read((into) => readBody(request, { limit: MAX_BODY, into }));

/** @param search the query, without its question mark. @throws OauthError */
export const queryParameters = (search: string): Promise<OauthParameters> =>
  read((into) => parsePairs(search, into));

async function read(into: (record: RawRecord) => void | Promise<void>): Promise<OauthParameters> {
  const record: RawRecord = {};
  try {
    await into(record);
  } catch (error) {
    if (error instanceof Rejection && MALFORMED.includes(error.code))
      throw invalidRequest((error.body as { error: string }).error);
    throw error;
  }
  return parametersIn(record);
}

/** Null for none. @throws OauthError for one that is unknown */
export function scopesIn(text: string | undefined): Scope[] | null {
  const named = [...new Set((text ?? '').split(/\s+/).filter((scope) => scope !== ''))];
  if (named.length === 0) return null;
  if (!named.every((scope): scope is Scope => SCOPES.some((known) => known === scope))) throw invalidScope();
  return named;
}

/** The wanted scopes, by default those that are allowed. @throws OauthError */
export function scopesWithin(allowed: readonly Scope[], wanted: readonly Scope[] | null): Scope[] {
  if (wanted?.some((scope) => !allowed.includes(scope))) throw invalidScope();
  return [...(wanted ?? allowed)];
}
