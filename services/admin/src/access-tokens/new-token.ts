import { randomBytes } from 'node:crypto';

/** 24 random bytes after the prefix by which secret scanners recognise the token. */
export const newToken = (prefix: 'flpat' | 'fldt' | 'floas' = 'flpat'): string =>
  `${prefix}-${randomBytes(24).toString('base64url')}`;
