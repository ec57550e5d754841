import { hash } from 'node:crypto';

/** Hexadecimal SHA-256, as which tokens are kept. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
