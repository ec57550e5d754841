import type { IncomingHttpHeaders } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { CALLER_PARAMETERS } from '@forgelog/service-kit/raw-parameters.ts';

export interface PresentedCredentials {
  token: string | undefined;
  /** Token of a job; counts where no other token is presented. */
  jobToken: string | undefined;
  /** Counts where none of the others is presented. */
  deployToken: string | undefined;
  /** Id or name of the user an administrator acts as. */
  sudo: string | undefined;
}

type CallerParameter = (typeof CALLER_PARAMETERS)[number];
const NAMES: ReadonlySet<string> = new Set(CALLER_PARAMETERS);
/** Matches queries that may hold a credential in any encoding. */
const MAY_NAME_CALLER = /token|sudo|%/;
const NONE: ReadonlyMap<CallerParameter, string> = new Map();

/**
 * Reads token and sudo in the order of companions.md 1.6.
 * @param search the query, without its question mark
 * @throws Rejection `invalid_parameters` for a repeated, list or hash parameter, and for an empty sudo
 */
export function readCredentials(headers: IncomingHttpHeaders, search: string): PresentedCredentials {
  const query = MAY_NAME_CALLER.test(search) ? callerParameters(search) : NONE;
  const jobToken = (headers['job-token'] as string | undefined) ?? query.get('job_token');
  const deployToken = headers['deploy-token'] as string | undefined;
  return {
    token: tokenOf(headers, query),
    jobToken: jobToken || undefined,
    deployToken: deployToken || undefined,
    sudo: sudoOf(headers, query),
  };
}

function callerParameters(search: string): ReadonlyMap<CallerParameter, string> {
  const found = new Map<CallerParameter, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    const plain = name.split('[', 1)[0] as CallerParameter;
    if (!NAMES.has(plain)) continue;
    if (name !== plain || found.has(plain)) throw invalid(`${plain} is invalid`);
    found.set(plain, value);
  }
  return found;
}

function tokenOf(headers: IncomingHttpHeaders, query: typeof NONE): string | undefined {
  const own = (headers['private-token'] as string | undefined) ?? query.get('private_token');
  if (own) return own;
  const { authorization } = headers;
  if (authorization !== undefined && /^bearer /i.test(authorization)) return authorization.slice(7).trim();
  return query.get('access_token');
}

function sudoOf(headers: IncomingHttpHeaders, query: typeof NONE): string | undefined {
  const inHeader = headers.sudo as string | undefined;
  const sudo = inHeader ?? query.get('sudo');
  if (sudo === undefined) return undefined;
  if (sudo.trim() === '') throw invalid('sudo is empty');
  // Node joins repeated headers with a comma, which no user name contains.
  if (sudo.includes(',') || sudo !== (query.get('sudo') ?? sudo)) throw invalid('sudo is invalid');
  return sudo;
}

const invalid = (problem: string) => new Rejection('invalid_parameters', { problems: [problem] });
