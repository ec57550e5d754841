import { createLru } from '@forgelog/eventing/lru.ts';

/** Whether a key signed an object: both never change, so that one verification is enough. */
export interface Verdicts {
  of(projectId: number, oid: string, key: string, verify: () => Promise<boolean>): Promise<boolean>;
}

const REMEMBERED = 20_000;

export function createVerdicts(): Verdicts {
  const known = createLru<string, boolean>(REMEMBERED);
  return {
    async of(projectId, oid, key, verify) {
      const name = `${projectId} ${oid} ${key}`;
      const verdict = known.get(name) ?? (await verify());
      known.set(name, verdict);
      return verdict;
    },
  };
}
