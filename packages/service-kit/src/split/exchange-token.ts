import { hash, hkdfSync } from 'node:crypto';
import { SCOPES, type ServiceName } from '@forgelog/contracts/endpoint.ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { secretKeys } from '../instance-key.ts';

/** Used only between processes: the gateway removes one from outside. */
export const EXCHANGE_HEADER = 'forgelog-exchange';

/** Allows for the time to connect and for clock skew within a cluster. */
const LIFETIME_S = 10;
const SKEW_S = 5;
const ALGORITHM = 'HS256';

const credential = z.strictObject({
  kind: z.enum([
    'personal_access_token',
    'project_access_token',
    'job_token',
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
    operation: z.enum(['advertise', 'uploadPack', 'receivePack']),
    service: z.enum(['git-upload-pack', 'git-receive-pack']),
    projectId: z.int(),
    principal: principal.nullable(),
    protocol: z.string().nullable(),
    metadata: metadata.nullable(),
    traceparent: z.string().optional(),
    position: z.string(),
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
]);

export const digestOf = (body: Buffer): string => hash('sha256', body, 'base64url');

/** `position`: the answer must reflect the log at least up to here. */
export type ExchangeClaims = z.output<typeof exchangeClaims>;

export interface ExchangeTokens {
  sign(claims: ExchangeClaims, audience: ServiceName): Promise<string>;
  /** undefined for a token that is forged, expired or for another service. */
  verify(token: string | undefined, audience: ServiceName): Promise<ExchangeClaims | undefined>;
}

export function createExchangeTokens(options: { secretKey: string; clock: () => Date }): ExchangeTokens {
  const keys = secretKeys(options.secretKey).map(
    (secret) => new Uint8Array(hkdfSync('sha256', secret, '', 'forgelog exchange tokens', 32)),
  );
  const { clock } = options;
  return {
    sign(claims, audience) {
      const now = Math.floor(clock().getTime() / 1000);
      return new SignJWT({ exchange: claims })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_S)
        .sign(keys[0]!);
    },
    async verify(token, audience) {
      if (token === undefined) return undefined;
      for (const key of keys) {
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
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return undefined;
    },
  };
}
