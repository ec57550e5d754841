import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { allKeys, type InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { OauthParameters } from './oauth-parameters.ts';

/** The fields that a consent is about. What was shown is what is granted: their values are signed. */
export const CONSENT_FIELDS = [
  ...['client_id', 'redirect_uri', 'response_type', 'state', 'scope'],
  ...['code_challenge', 'code_challenge_method'],
] as const;

export interface ConsentForms {
  /** Returns the token of a form, and the cookie that has to come back with it. */
  begin(request: IncomingMessage, parameters: OauthParameters): { token: string; cookie: string };
  /** Whether the form is one that this browser got, with the same fields, and not too old. */
  isGenuine(request: IncomingMessage, parameters: OauthParameters): boolean;
}

const COOKIE = 'forgelog_consent';
const LASTS_MS = 1_800_000;

/** Another site can neither read a form nor set its cookie, so it can send none in somebody's name. */
export function createConsentForms(ports: {
  instanceKey: InstanceKey;
  clock: () => Date;
  /** Whether browsers reach the instance by HTTPS alone. */
  secure: boolean;
}): ConsentForms {
  const { instanceKey, clock, secure } = ports;

  function signature(secret: Buffer, signed: readonly (string | undefined)[]): Buffer {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'consent forms', 32));
    return createHmac('sha256', key).update(JSON.stringify(signed)).digest();
  }

  const signedIn = (nonce: string, until: string, parameters: OauthParameters) => [
    ...[nonce, until],
    ...CONSENT_FIELDS.map((name) => parameters.text(name)),
  ];

  return {
    begin(request, parameters) {
      const nonce = nonceIn(request) ?? randomBytes(18).toString('base64url');
      const until = (clock().getTime() + LASTS_MS).toString(36);
      const mac = signature(instanceKey(), signedIn(nonce, until, parameters)).toString('base64url');
      const attributes = `Path=/oauth/authorize; HttpOnly; SameSite=Strict; Max-Age=${LASTS_MS / 1000}`;
      return {
        token: `${until}.${mac}`,
        cookie: `${COOKIE}=${nonce}; ${attributes}${secure ? '; Secure' : ''}`,
      };
    },
    isGenuine(request, parameters) {
      const nonce = nonceIn(request);
      const [until, mac] = (parameters.text('form_token') ?? '').split('.');
      if (nonce === undefined || !until || !mac) return false;
      if (!(Number.parseInt(until, 36) > clock().getTime())) return false;
      const given = Buffer.from(mac, 'base64url');
      return allKeys(instanceKey).some((secret) => {
        const right = signature(secret, signedIn(nonce, until, parameters));
        return right.length === given.length && timingSafeEqual(right, given);
      });
    },
  };
}

function nonceIn({ headers }: IncomingMessage): string | undefined {
  return /(?:^|;\s*)forgelog_consent=([\w-]{24})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
}
