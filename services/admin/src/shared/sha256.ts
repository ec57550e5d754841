import { hash } from 'node:crypto';

/** Hexadecimal SHA-256, the stored form of tokens. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
