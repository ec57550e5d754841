import { hash, hkdfSync } from 'node:crypto';
import { SCOPES, type ServiceName } from '@forgelog/contracts/endpoint.ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** The header that carries it, between processes alone: the gateway drops one from outside. */
export const EXCHANGE_HEADER = 'forgelog-exchange';

/** How long a token counts: as long as a connection may take to be made, and clocks of one cluster may differ. */
const LIFETIME_S = 10;
const SKEW_S = 5;
const ALGORITHM = 'HS256';

const credential = z.strictObject({
  kind: z.enum([
    'personal_access_token',
    'project_access_token',
    'job_token',
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
  scopes: z.array(z.enum(SCOPES as [(typeof SCOPES)[number], ...typeof SCOPES])),
  credential,
  onBehalfBy: z.int().nullable(),
});

const metadata = z.strictObject({
  actorId: z.int().nullable(),
  onBehalfBy: z.int().nullable(),
  credential: credential.nullable(),
  clientAddress: z.string().nullable(),
  userAgent: z.string().optional(),
  requestId: z.string().nullable(),
  causationId: z.string().nullable(),
  traceparent: z.string().optional(),
});

/** What one process asks of another: everything that must be true of it is signed. */
const exchangeClaims = z.discriminatedUnion('kind', [
  /** A request of a client's: the gateway has routed it and knows who calls. */
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
  /** git's own exchange with a repository. */
  z.strictObject({
    kind: z.literal('git'),
    operation: z.enum(['advertise', 'uploadPack', 'receivePack']),
    service: z.enum(['git-upload-pack', 'git-receive-pack']),
    projectId: z.int(),
    principal: principal.nullable(),
    protocol: z.string().nullable(),
    metadata: metadata.nullable(),
    traceparent: z.string().optional(),
    position: z.string(),
  }),
  /** A push to an address where there is nothing yet. */
  z.strictObject({
    kind: z.literal('first-push'),
    path: z.string(),
    principal,
    protocol: z.string().nullable(),
    metadata,
    traceparent: z.string().optional(),
    position: z.string(),
  }),
  /** What one service asks of another. */
  z.strictObject({
    kind: z.literal('operation'),
    operation: z.string(),
    /** Digest of the body, so that a token that is used again asks for the same once more and for nothing else. */
    request: z.string(),
    principal: principal.nullable(),
    /** Of a write alone. */
    write: z.strictObject({ operationId: z.uuid(), metadata }).nullable(),
    position: z.string(),
  }),
]);

/** What the claims of an operation say of the body that they come with. */
export const digestOf = (body: Buffer): string => hash('sha256', body, 'base64url');

/** `position`: the answer must not be older than this place in the log. */
export type ExchangeClaims = z.output<typeof exchangeClaims>;

export interface ExchangeTokens {
  sign(claims: ExchangeClaims, audience: ServiceName): Promise<string>;
  /** undefined for what is forged, expired, of another service or no token at all. */
  verify(token: string | undefined, audience: ServiceName): Promise<ExchangeClaims | undefined>;
}

/** Tokens signed with a key that is derived from the instance's and used for nothing else. */
export function createExchangeTokens(options: { secretKey: string; clock: () => Date }): ExchangeTokens {
  const key = new Uint8Array(hkdfSync('sha256', options.secretKey, '', 'forgelog exchange tokens', 32));
  const { clock } = options;
  return {
    sign(claims, audience) {
      const now = Math.floor(clock().getTime() / 1000);
      return new SignJWT({ exchange: claims })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_S)
        .sign(key);
    },
    async verify(token, audience) {
      if (token === undefined) return undefined;
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          audience,
          clockTolerance: SKEW_S,
          currentDate: clock(),
          requiredClaims: ['exp', 'aud'],
        });
        const parsed = exchangeClaims.safeParse(payload.exchange);
        return parsed.success ? parsed.data : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
