import { randomBytes } from 'node:crypto';

/** A personal access token: 24 random bytes behind the prefix by which scanners of leaked secrets know it. */
export const newToken = (): string => `flpat-${randomBytes(24).toString('base64url')}`;
