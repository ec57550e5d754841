import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { eq } from '@forgelog/eventing/query.ts';
import {
  allKeys,
  lazyInstanceKey,
  placeOfRunnersToken,
  type RunnersPlace,
  runnersToken,
} from '@forgelog/service-kit/instance-key.ts';
import { type RunnerRow, runners } from './runners.projection.ts';

export interface NewRunnerToken {
  token: string;
  /** What the log keeps of it. */
  sha256: string;
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** 24 random bytes after the prefix by which secret scanners recognise the token. */
export function newRunnerToken(): NewRunnerToken {
  const token = `glrt-${randomBytes(24).toString('base64url')}`;
  return { token, sha256: sha256(token) };
}

export interface RunnerTokens {
  /** The place whose runners the token registers now; undefined if it registers none, or is marked for deletion. */
  placeOf(token: string): Promise<RunnersPlace | undefined>;
  registrationToken(place: RunnersPlace): Promise<string>;
  runnerOf(token: string): Promise<RunnerRow | undefined>;
}

export function runnerTokens({ configuration, directory, readStore }: ServicePorts): RunnerTokens {
  const key = lazyInstanceKey(configuration);
  const tokensOf = async (place: RunnersPlace) => {
    const resets = await directory.runnersTokenResets(place);
    return allKeys(key).map((each) => runnersToken(each, place, resets));
  };

  async function isThere({ kind, id }: RunnersPlace): Promise<boolean> {
    if (kind === 'instance') return id === 0;
    const marked = await directory.marked();
    if (kind === 'project') return (await directory.project(id)) !== undefined && !marked.projects.has(id);
    return (await directory.namespace(id))?.kind === 'group' && !marked.groups.has(id);
  }

  return {
    registrationToken: async (place) => (await tokensOf(place))[0]!,
    async placeOf(token) {
      const place = placeOfRunnersToken(token);
      if (!place || !(await isThere(place))) return undefined;
      const isRight = (wanted: string) =>
        wanted.length === token.length && timingSafeEqual(Buffer.from(wanted), Buffer.from(token));
      return (await tokensOf(place)).some(isRight) ? place : undefined;
    },
    async runnerOf(token) {
      const where = eq('tokenSha256', sha256(token));
      return (await readStore.find(runners, { where, limit: 1 }))[0];
    },
  };
}
