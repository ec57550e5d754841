import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { DEPLOY_TOKEN_SCOPES, SCOPES, type ServiceName } from '@forgelog/contracts/endpoint.ts';
import { z } from 'zod';
import { secretKeys } from '../instance-key.ts';

/** Used only between processes: the gateway removes one from outside. */
export const EXCHANGE_HEADER = 'forgelog-exchange';

/** Allows for the time to connect and for clock skew within a cluster. */
const LIFETIME_S = 10;
const SKEW_S = 5;

const credential = z.strictObject({
  kind: z.enum([
    'personal_access_token',
    'project_access_token',
    'job_token',
    'deploy_token',
    'oauth_token',
    'runner',
    'registration_token',
    'session',
    'password',
    'system',
  ]),
  id: z.int().nullable(),
});

const principal = z.strictObject({
  userId: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  external: z.boolean(),
  scopes: z.array(z.enum(SCOPES)),
  credential,
  onBehalfBy: z.int().nullable(),
  deployToken: z
    .strictObject({
      projectId: z.int().nullable(),
      groupId: z.int().nullable(),
      scopes: z.array(z.enum(DEPLOY_TOKEN_SCOPES)).readonly(),
    })
    .optional(),
});

const metadata = z.strictObject({
  actorId: z.int().nullable(),
  onBehalfBy: z.int().nullable(),
  credential: credential.nullable(),
  clientAddress: z.string().nullable(),
  userAgent: z.string().optional(),
  requestId: z.string().nullable(),
  causationId: z.string().nullable(),
  initiator: z
    .strictObject({
      actorId: z.int().nullable(),
      onBehalfBy: z.int().nullable(),
      clientAddress: z.string().nullable(),
    })
    .optional(),
  traceparent: z.string().optional(),
});

/** One exchange of git with a repository. */
const gitExchange = {
  operation: z.enum(['advertise', 'uploadPack', 'receivePack']),
  service: z.enum(['git-upload-pack', 'git-receive-pack']),
  principal: principal.nullable(),
  protocol: z.string().nullable(),
  metadata: metadata.nullable(),
  traceparent: z.string().optional(),
  position: z.string(),
};

/** A request between processes: every claim that the receiver trusts is signed. */
const exchangeClaims = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('endpoint'),
    endpoint: z.string(),
    pathParams: z.record(z.string(), z.string()),
    principal: principal.nullable(),
    requestId: z.string(),
    clientAddress: z.string().nullable(),
    userAgent: z.string().optional(),
    traceparent: z.string().optional(),
    position: z.string(),
  }),
  z.strictObject({
    kind: z.literal('git'),
    ...gitExchange,
    projectId: z.int(),
  }),
  z.strictObject({
    kind: z.literal('snippet-git'),
    ...gitExchange,
    snippetId: z.int(),
    projectId: z.int().nullable(),
  }),
  z.strictObject({
    kind: z.literal('wiki-git'),
    ...gitExchange,
    /** One of both. */
    projectId: z.int().nullable(),
    groupId: z.int().nullable(),
  }),
  z.strictObject({
    kind: z.literal('first-push'),
    path: z.string(),
    principal,
    protocol: z.string().nullable(),
    metadata,
    traceparent: z.string().optional(),
    position: z.string(),
  }),
  z.strictObject({
    kind: z.literal('operation'),
    operation: z.string(),
    /** Digest of the body: a replayed token can only repeat the same request. */
    request: z.string(),
    principal: principal.nullable(),
    write: z.strictObject({ operationId: z.uuid(), metadata }).nullable(),
    position: z.string(),
  }),
  /** Another replica of the same service asks for a copy of the read models. */
  z.strictObject({
    kind: z.literal('read-models'),
    release: z.string(),
    shape: z.string(),
    position: z.string(),
  }),
]);

export const digestOf = (body: Buffer): string => hash('sha256', body, 'base64url');

/** `position`: the answer must reflect the log at least up to here. */
export type ExchangeClaims = z.output<typeof exchangeClaims>;

/** `expires` is in seconds since 1970. */
const sealed = z.strictObject({ audience: z.string(), expires: z.int(), exchange: exchangeClaims });

export interface ExchangeTokens {
  sign(claims: ExchangeClaims, audience: ServiceName): string;
  /** undefined for a token that is forged, expired or for another service. */
  verify(token: string | undefined, audience: ServiceName): ExchangeClaims | undefined;
}

/** Tokens are `<base64url of JSON>.<base64url of its HMAC-SHA256>`, signed in the calling thread (ADR 74). */
export function createExchangeTokens(options: { secretKey: string; clock: () => Date }): ExchangeTokens {
  const keys = secretKeys(options.secretKey).map((secret) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'forgelog exchange tokens', 32))),
  );
  const now = () => Math.floor(options.clock().getTime() / 1000);
  const isBy = (key: KeyObject, text: string, mac: Buffer) => {
    const expected = createHmac('sha256', key).update(text).digest();
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  };
  return {
    sign(claims, audience) {
      const whole: z.input<typeof sealed> = { audience, expires: now() + LIFETIME_S, exchange: claims };
      const text = Buffer.from(JSON.stringify(whole)).toString('base64url');
      return `${text}.${createHmac('sha256', keys[0]!).update(text).digest('base64url')}`;
    },
    verify(token = '', audience) {
      const [text = '', mac = '', ...rest] = token.split('.');
      const given = Buffer.from(mac, 'base64url');
      if (rest.length > 0 || !keys.some((key) => isBy(key, text, given))) return undefined;
      const { data } = sealed.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
      const isValid = data?.audience === audience && now() < data.expires + SKEW_S;
      return isValid ? data.exchange : undefined;
    },
  };
}
