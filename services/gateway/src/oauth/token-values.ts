import { randomBytes } from 'node:crypto';

/** By their prefixes secret scanners recognise them. A code or refresh token names its authorization, so none is searched. */
const ACCESS = 'float-';
const PREFIXES = { code: 'floac-', refresh: 'flort-' };

const random = () => randomBytes(24).toString('base64url');

export const newAccessToken = (): string => `${ACCESS}${random()}`;
export const isAccessToken = (token: string): boolean => token.startsWith(ACCESS);

type Kind = keyof typeof PREFIXES;

export const newValue = (kind: Kind, authorizationId: string): string =>
  `${PREFIXES[kind]}${authorizationId.replaceAll('-', '')}-${random()}`;

/** The authorization that a code or refresh token names, whether it is genuine or not. */
export function authorizationIdIn(kind: Kind, value: string): string | undefined {
  if (!value.startsWith(PREFIXES[kind])) return undefined;
  const [, a, b, c, d, e] =
    /^([0-9a-f]{8})([0-9a-f]{4})([1-8][0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})-[\w-]{32}$/.exec(
      value.slice(PREFIXES[kind].length),
    ) ?? [];
  return a && `${a}-${b}-${c}-${d}-${e}`;
}
