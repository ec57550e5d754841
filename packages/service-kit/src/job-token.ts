import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 32;
const FORM = /^glcbt-([0-9a-z]{1,11})-([\w-]{43})$/;

export interface JobTokens {
  of(jobId: number): string;
  /** Returns undefined for a text that is no job's token; says nothing of whether the job still runs. */
  jobOf(token: string): number | undefined;
}

/** Tokens of jobs, derived from the instance's key and stored nowhere. */
export function createJobTokens(lazyKey: () => Buffer): JobTokens {
  let key: Buffer | undefined;
  const macOf = (id: string) => {
    key ??= Buffer.from(hkdfSync('sha256', lazyKey(), '', 'forgelog job tokens', MAC_BYTES));
    return createHmac('sha256', key).update(id).digest();
  };
  return {
    of(jobId) {
      const id = jobId.toString(36);
      return `glcbt-${id}-${macOf(id).toString('base64url')}`;
    },
    jobOf(token) {
      const [, id, mac] = FORM.exec(token) ?? [];
      if (id === undefined || mac === undefined) return undefined;
      const given = Buffer.from(mac, 'base64url');
      // Four texts decode to the same bytes; only one of them is the token.
      if (given.toString('base64url') !== mac || !timingSafeEqual(given, macOf(id))) return undefined;
      return Number.parseInt(id, 36);
    },
  };
}
