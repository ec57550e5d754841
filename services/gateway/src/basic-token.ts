import type { IncomingMessage } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Authentication, sha256, UnknownToken } from './authentication.ts';
import { JOB_LOGIN, readBasic } from './basic-authentication.ts';

type Tokens = Pick<Authentication, 'byToken' | 'byJobToken' | 'byDeployToken'>;

/**
 * The caller whose token came as the password of HTTP Basic; null where nothing came so. Passwords of accounts are no
 * tokens. @throws 401 for what is no token, on public places too
 */
export async function byBasicToken(tokens: Tokens, request: IncomingMessage): Promise<Principal | null> {
  const given = readBasic(request);
  if (given.kind === 'none') return null;
  if (given.kind === 'unreadable') throw new Rejection('unauthorized');
  const { username, password } = given;
  const job = username === JOB_LOGIN ? await tokens.byJobToken(password) : undefined;
  const found = job ?? (await tokens.byToken(password)) ?? (await tokens.byDeployToken(username, password));
  if (!found) throw new UnknownToken(sha256(password));
  return found;
}
