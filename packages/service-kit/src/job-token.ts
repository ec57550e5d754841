import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { allKeys, type InstanceKey } from './instance-key.ts';

const MAC_BYTES = 32;
const FORM = /^glcbt-([0-9a-z]{1,11})-([\w-]{43})$/;

export interface JobTokens {
  of(jobId: number): string;
  /** Returns undefined for a text that is no job's token; says nothing of whether the job still runs. */
  jobOf(token: string): number | undefined;
}

/** Tokens of jobs, derived from the instance's key and stored nowhere. */
export function createJobTokens(instanceKey: InstanceKey): JobTokens {
  let keys: Buffer[] | undefined;
  const macsOf = (id: string) => {
    keys ??= allKeys(instanceKey).map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', 'forgelog job tokens', MAC_BYTES)),
    );
    return keys.map((key) => createHmac('sha256', key).update(id).digest());
  };
  return {
    of(jobId) {
      const id = jobId.toString(36);
      return `glcbt-${id}-${macsOf(id)[0]!.toString('base64url')}`;
    },
    jobOf(token) {
      const [, id, mac] = FORM.exec(token) ?? [];
      if (id === undefined || mac === undefined) return undefined;
      const given = Buffer.from(mac, 'base64url');
      // Four texts decode to the same bytes; only one of them is the token.
      if (given.toString('base64url') !== mac) return undefined;
      if (!macsOf(id).some((wanted) => timingSafeEqual(given, wanted))) return undefined;
      return Number.parseInt(id, 36);
    },
  };
}
