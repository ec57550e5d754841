import { type AnyEndpoint, SCOPES, type ServiceName } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rightsOf } from '../fixtures/all-fixtures.ts';
import { type Needs, SCOPES_OF } from '../fixtures/fixture.ts';
import { inTurns } from '../support/turns.ts';
import { type Answer, inBatches, type Sent, send } from '../support/wire.ts';
import {
  createWorld,
  ROLES,
  type Role,
  VISIBILITIES,
  type Visibility,
  type World,
} from '../support/world.ts';
import { unchanged } from './unchanged.ts';
import { addressOf, bodyOf, inBody, type ValidCall, validCall } from './valid-calls.ts';

let world: World;

const CALLERS = ['anonymous', 'blocked', 'outsider', 'external', ...ROLES, 'admin'] as const;
type Caller = (typeof CALLERS)[number];

/** What a caller gets: the body of a refusal, or `allowed`. */
type Verdict = 'allowed' | { status: number; body: object };

const refusal = (status: number, text: string): Verdict => ({ status, body: { message: text } });
const NOBODY = refusal(401, '401 Unauthorized');
const FORBIDDEN = refusal(403, '403 Forbidden');
const BLOCKED = refusal(403, '403 Forbidden - Your account has been blocked.');

const isMember = (caller: Caller): caller is Role => (ROLES as readonly string[]).includes(caller);

function sees(caller: Caller, visibility: Visibility): boolean {
  if (caller === 'admin' || isMember(caller) || visibility === 'public') return true;
  return visibility === 'internal' && caller === 'outsider';
}

function verdict(needs: Needs, caller: Caller, visibility: Visibility): Verdict {
  if (caller === 'blocked') return BLOCKED;
  if (needs === 'anyone') return 'allowed';
  const [where, least] = needs.split(' ') as [
    'project' | 'group',
    'visible' | 'code' | 'signed-in' | 'signed-in-code' | 'merger' | 'stranger' | Role,
  ];
  if (caller === 'anonymous' && least !== 'visible' && least !== 'code') return NOBODY;
  if (needs === 'user') return 'allowed';
  if (needs === 'internal-user') return caller === 'external' ? FORBIDDEN : 'allowed';
  if (needs === 'job') return refusal(404, '404 Job Not Found');
  if (needs === 'administrator') return caller === 'admin' ? 'allowed' : FORBIDDEN;
  if (!sees(caller, visibility))
    return refusal(404, `404 ${where === 'group' ? 'Group' : 'Project'} Not Found`);
  if (least === 'stranger') return isMember(caller) ? FORBIDDEN : 'allowed';
  if (caller === 'admin' || least === 'visible' || least === 'signed-in') return 'allowed';
  if (least === 'code' || least === 'signed-in-code')
    return visibility === 'private' && caller === 'guest' ? FORBIDDEN : 'allowed';
  if (least === 'merger') {
    if (visibility === 'private' && caller === 'guest') return FORBIDDEN;
    return isMember(caller) && ROLES.indexOf(caller) >= ROLES.indexOf('developer') ? 'allowed' : NOBODY;
  }
  return isMember(caller) && ROLES.indexOf(caller) >= ROLES.indexOf(least) ? 'allowed' : FORBIDDEN;
}

const tokenOf = (caller: Caller) => (caller === 'anonymous' ? null : world.people[caller].token);

/** A stream that never ends is asked for its head alone. */
const methodOf = ({ id, method }: AnyEndpoint) => (id.endsWith('event-stream') ? 'HEAD' : method);

function make(endpoint: AnyEndpoint, call: ValidCall, sent: Sent): Promise<Answer> {
  const path = addressOf(endpoint, call.inPath, inBody(endpoint) ? {} : call.rest);
  const body = bodyOf(endpoint, call);
  const headers = { ...body.headers, ...sent.headers };
  return send(world.forgelog, methodOf(endpoint), path, { ...body, ...sent, headers });
}

function contradicts(wanted: Verdict, { status, text }: Answer, endpoint: AnyEndpoint): string | null {
  if (wanted === 'allowed')
    return status < 300 || status === endpoint.status
      ? null
      : `should be allowed, got ${status} ${text.slice(0, 200)}`;
  if (status !== wanted.status)
    return `should be refused with ${wanted.status}, got ${status} ${text.slice(0, 200)}`;
  if (methodOf(endpoint) === 'HEAD') return null;
  return text === JSON.stringify(wanted.body)
    ? null
    : `should say ${JSON.stringify(wanted.body)}, says ${text}`;
}

/** Where a place matters each visibility counts; archives are limited to five a minute for each user. */
function visibilitiesOf(endpoint: AnyEndpoint): readonly Visibility[] {
  if (endpoint.access.kind !== 'project' && endpoint.access.kind !== 'group') return ['private'];
  return isArchive(endpoint) ? ['private', 'public'] : VISIBILITIES;
}
const isArchive = ({ id }: AnyEndpoint) => id.startsWith('repo-archive');

/** What is made in the caller's own place, where everybody may make it. */
function own(endpoint: AnyEndpoint, call: ValidCall): ValidCall {
  if (endpoint.id !== 'project-create') return call;
  const { namespace_id: _, ...rest } = call.rest;
  return { ...call, rest };
}

/**
 * Holds each endpoint of a service against its row: a test file for each service, so that they run side by side.
 * @returns the world of the file's tests, once they run
 */
export function sweepRights(service: ServiceName): () => World {
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.forgelog.stop());

  const swept = endpoints.filter((endpoint) => endpoint.service === service);

  describe.each(swept.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
    const [needs, scopes] = rightsOf(id);

    test('refuses whoever may not, in one form, and nothing happens', async () => {
      const cells: {
        caller: Caller;
        visibility: Visibility;
        call: ValidCall;
        wanted: Verdict;
        sent: Sent;
      }[] = [];
      for (const visibility of visibilitiesOf(endpoint)) {
        const call = own(endpoint, await validCall(endpoint, world, world.places[visibility]));
        for (const caller of inTurns(CALLERS, `${id} ${visibility}`, 3)) {
          const wanted = verdict(needs, caller, visibility);
          if (wanted === 'allowed') continue;
          cells.push({ caller, visibility, call, wanted, sent: { token: tokenOf(caller) } });
          // An administrator who acts as somebody may what that one may, and no more.
          if (caller !== 'anonymous' && !isArchive(endpoint))
            cells.push({
              caller,
              visibility,
              call,
              wanted,
              sent: { headers: { Sudo: world.people[caller].username } },
            });
        }
      }
      if (cells.length === 0) return;
      const wrong = await unchanged(world.forgelog, () =>
        inBatches(cells, async ({ caller, visibility, call, wanted, sent }) => {
          const problem = contradicts(wanted, await make(endpoint, call, sent), endpoint);
          return problem && `${caller}${sent.headers ? ' by sudo' : ''} in ${visibility}: ${problem}`;
        }),
      );
      expect(wrong.filter(Boolean)).toEqual([]);
    });

    test('lets whoever may', async () => {
      const wrong: string[] = [];
      for (const visibility of visibilitiesOf(endpoint)) {
        for (const caller of inTurns(CALLERS, `${visibility} ${id}`, 3)) {
          if (verdict(needs, caller, visibility) !== 'allowed') continue;
          const self = caller === 'anonymous' ? undefined : world.people[caller];
          const call = own(
            endpoint,
            await validCall(endpoint, world, world.places[visibility], { fresh: true, caller: self }),
          );
          const sent = { token: tokenOf(caller) };
          const problem = contradicts('allowed', await make(endpoint, call, sent), endpoint);
          if (problem) wrong.push(`${caller} in ${visibility}: ${problem}`);
        }
      }
      expect(wrong).toEqual([]);
    });

    test('takes the scopes that will do, and no other', async () => {
      const will: readonly string[] = SCOPES_OF[scopes];
      const call = own(endpoint, await validCall(endpoint, world, world.places.private));
      const body = JSON.stringify({
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: will.join(' '),
      });
      const wrong = await unchanged(world.forgelog, () =>
        inBatches(
          SCOPES.filter((scope) => !will.includes(scope)),
          async (scope) => {
            const { status, text } = await make(endpoint, call, { token: world.scoped[scope] });
            const said = methodOf(endpoint) === 'HEAD' ? status === 403 : status === 403 && text === body;
            return said ? null : `${scope}: ${status} ${text.slice(0, 200)}`;
          },
        ),
      );
      expect(wrong.filter(Boolean)).toEqual([]);
      // Of those that will do it is enough that none is refused for its scope: the rest is the caller's rights.
      const answers = await inBatches(
        will,
        async (scope) => {
          const fresh = own(endpoint, await validCall(endpoint, world, world.places.public, { fresh: true }));
          const { status, text } = await make(endpoint, fresh, {
            token: world.scoped[scope as (typeof SCOPES)[number]],
          });
          return status === 403 && text.includes('insufficient_scope') ? scope : null;
        },
        1,
      );
      expect(answers.filter(Boolean)).toEqual([]);
    });
  });

  return () => world;
}
