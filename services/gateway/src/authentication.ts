import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { DeployTokenScope, Scope } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { principalOf } from '@forgelog/directory/acting-user.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import { DerivedCache } from '@forgelog/directory/derived-cache.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createJobTokens } from '@forgelog/service-kit/job-token.ts';
import { NOBODY, type Principal } from '@forgelog/service-kit/principal.ts';
import { credentialsProjection, type GatewayToken, gatewayTokens } from './credentials.projection.ts';
import {
  deployTokensProjection,
  type GatewayDeployToken,
  gatewayDeployTokens,
} from './deploy-tokens.projection.ts';
import {
  type GatewayOauthToken,
  gatewayOauthTokens,
  oauthTokensProjection,
} from './oauth/oauth-tokens.projection.ts';
import { isAccessToken } from './oauth/token-values.ts';
import { readCredentials } from './presented-credentials.ts';
import { gatewayJobs, runningJobsProjection } from './running-jobs.projection.ts';

export interface Authentication {
  projections: readonly Projection[];
  /**
   * Returns the caller, null without credentials. A wrong credential is a 401, on public endpoints too.
   * @param search the query, without its question mark
   * @param readsJobToken false where the service itself verifies the token of a job
   */
  authenticate(
    request: IncomingMessage,
    search: string,
    readsJobToken: boolean,
  ): Principal | null | Promise<Principal | null>;
  /** The user of a running job, by its token. */
  byJobToken(token: string): Promise<Principal | undefined>;
  /** The caller with a deploy token, who also says the name that it signs in with. */
  byDeployToken(username: string, token: string): Promise<Principal | undefined>;
  /** The caller with a personal access token or an OAuth access token. */
  byToken(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** What is known of an OAuth access token that works. @throws Rejection 403 for a blocked user */
  oauthToken(token: string): Promise<GatewayOauthToken | undefined>;
  /** Returns undefined once the credential, or the user it acts for, is no longer valid. */
  renew(principal: Principal): Promise<Principal | undefined>;
}

export interface AuthenticationPorts {
  readStore: ReadStore;
  directory: Directory;
  instanceKey: InstanceKey;
  configuration: Pick<Configuration, 'IMPERSONATION'>;
  clock: () => Date;
}

const TOKENS = 50_000;

export const sha256 = (text: string) => hash('sha256', text, 'hex');

/**
 * Caches the last token of a connection with its digest: a client sends the same one each time. Beside the socket,
 * because properties of ours make V8 keep all properties of the socket in a slow and large table.
 */
const lastTokens = new WeakMap<object, { token: string; digest: string }>();

function digestOf(token: string, socket: object): string {
  const last = lastTokens.get(socket);
  if (last?.token === token) return last.digest;
  const digest = sha256(token);
  lastTokens.set(socket, { token, digest });
  return digest;
}

export function createAuthentication({
  readStore,
  directory,
  instanceKey,
  configuration,
  clock,
}: AuthenticationPorts): Authentication {
  const tokens = new ReadThrough<string, GatewayToken>(TOKENS);
  const deployTokens = new ReadThrough<string, GatewayDeployToken>(TOKENS);
  const oauthTokens = new ReadThrough<string, GatewayOauthToken>(TOKENS);
  const digests = new ReadThrough<string, string>(TOKENS);
  /** When callers with an OAuth access token are one no longer, in milliseconds since 1970. */
  const ends = new WeakMap<Principal, number>();
  const principals = new DerivedCache<string, Principal>(directory, TOKENS);
  const jobTokens = createJobTokens(instanceKey);

  async function tokenOf(digest: string): Promise<GatewayToken | undefined> {
    const token = await tokens.read(digest, () => readStore.get(gatewayTokens, digest));
    if (!token || (token.impersonation && configuration.IMPERSONATION === 'off')) return undefined;
    const expired = token.expiresAt !== null && token.expiresAt <= directory.today();
    return expired ? undefined : token;
  }

  async function byDigest(digest: string): Promise<Principal | undefined> {
    const token = await tokenOf(digest);
    const oauthToken = token ? undefined : await oauthTokenOf(digest);
    const found = token ?? oauthToken;
    if (!found) return undefined;
    const user = await directory.user(found.userId);
    if (!user || user.state === 'deleted') return undefined;
    refuseBlocked(user);
    const principal = principalOf(user, {
      scopes: found.scopes as Scope[],
      credential: { kind: token ? 'personal_access_token' : 'oauth_token', id: found.tokenId },
      onBehalfBy: null,
    });
    if (oauthToken) ends.set(principal, Date.parse(oauthToken.expiresAt));
    return principal;
  }

  function oauthTokenOf(digest: string): Promise<GatewayOauthToken | undefined> {
    return oauthTokens.read(digest, async () => {
      const where = eq('accessSha256', digest);
      return (await readStore.find(gatewayOauthTokens, { where, limit: 1 }))[0];
    });
  }

  function unlessOver(principal: Principal | undefined): Principal | undefined {
    if (principal?.credential.kind !== 'oauth_token') return principal;
    return ends.get(principal)! > clock().getTime() ? principal : undefined;
  }

  async function deployTokenOf(digest: string): Promise<GatewayDeployToken | undefined> {
    const token = await deployTokens.read(digest, () => readStore.get(gatewayDeployTokens, digest));
    const isOver =
      token !== undefined && token.expiresAt !== null && token.expiresAt <= clock().toISOString();
    return isOver ? undefined : token;
  }

  async function byDeployDigest(digest: string): Promise<Principal | undefined> {
    const token = await deployTokenOf(digest);
    return token && callerWith(token);
  }

  async function byJobToken(token: string): Promise<Principal | undefined> {
    const id = jobTokens.jobOf(token);
    const job = id === undefined ? undefined : await readStore.get(gatewayJobs, id);
    if (!job?.isRunning || job.actorId === null) return undefined;
    const user = await directory.user(job.actorId);
    if (!user || user.state === 'deleted') return undefined;
    refuseBlocked(user);
    return principalOf(user, {
      scopes: ['api'],
      credential: { kind: 'job_token', id: job.id },
      onBehalfBy: null,
    });
  }

  async function digestOfToken({ kind, id }: Principal['credential']): Promise<string | undefined> {
    const where = eq('tokenId', id);
    if (kind === 'oauth_token')
      return (await readStore.find(gatewayOauthTokens, { where, limit: 1 }))[0]?.accessSha256;
    return (await readStore.find(gatewayTokens, { where, limit: 1, select: ['sha256'] }))[0]?.sha256;
  }

  /** A cached caller may have one whose token is over. */
  function ofDigest(digest: string): Principal | undefined | Promise<Principal | undefined> {
    const found = principals.read(digest, () => byDigest(digest));
    return found instanceof Promise ? found.then(unlessOver) : unlessOver(found);
  }

  async function derived(
    found: Promise<Principal | undefined>,
    refusal: () => Rejection,
  ): Promise<Principal> {
    const principal = await found;
    if (!principal) throw refusal();
    return principal;
  }

  async function onBehalf(caller: Principal | Promise<Principal>, wanted: string): Promise<Principal> {
    const admin = await caller;
    if (!admin.isAdmin) throw new Rejection('sudo_needs_admin');
    if (!admin.scopes.includes('sudo')) throw new Rejection('insufficient_scope', { scopes: ['sudo'] });
    const user = /^\d{1,15}$/.test(wanted)
      ? await directory.user(Number(wanted))
      : await directory.userByName(wanted);
    if (!user || user.state === 'deleted') throw new Rejection('sudo_user_not_found', { user: wanted });
    refuseBlocked(user);
    return principalOf(user, {
      scopes: admin.scopes,
      credential: admin.credential,
      onBehalfBy: admin.userId,
    });
  }

  return {
    projections: [
      {
        ...credentialsProjection,
        applied() {
          tokens.forgetAll();
          digests.forgetAll();
          principals.forgetAll();
        },
      },
      {
        ...oauthTokensProjection,
        applied() {
          oauthTokens.forgetAll();
          digests.forgetAll();
          principals.forgetAll();
        },
      },
      { ...deployTokensProjection, applied: () => deployTokens.forgetAll() },
      runningJobsProjection,
    ],
    byJobToken,
    async byDeployToken(username, password) {
      const token = await deployTokenOf(sha256(password));
      return token?.username === username ? callerWith(token) : undefined;
    },
    byToken: (token) => ofDigest(sha256(token)),
    async oauthToken(token) {
      const digest = sha256(token);
      const principal = await ofDigest(digest);
      return principal?.credential.kind === 'oauth_token' ? oauthTokenOf(digest) : undefined;
    },
    async renew({ credential, userId, onBehalfBy }) {
      const key = `${credential.kind} ${credential.id}`;
      const digest = await digests.read(key, () => digestOfToken(credential));
      if (digest === undefined) return undefined;
      try {
        const caller = await ofDigest(digest);
        return caller && onBehalfBy !== null ? await onBehalf(caller, String(userId)) : caller;
      } catch (error) {
        if (error instanceof Rejection) return undefined;
        throw error;
      }
    },
    authenticate(request, search, readsJobToken) {
      const { token, jobToken, deployToken, sudo } = readCredentials(request.headers, search);
      if (token === undefined && jobToken !== undefined && readsJobToken) {
        if (sudo !== undefined) throw new Rejection('sudo_needs_admin');
        return derived(byJobToken(jobToken), () => new Rejection('unauthorized'));
      }
      if (token === undefined && jobToken === undefined && deployToken !== undefined) {
        if (sudo !== undefined) throw new Rejection('sudo_needs_admin');
        const digest = sha256(deployToken);
        return derived(byDeployDigest(digest), () => new UnknownToken(digest));
      }
      if (token === undefined) {
        if (sudo !== undefined) throw new Rejection('unauthorized');
        return null;
      }
      const digest = digestOf(token, request.socket);
      const found = ofDigest(digest);
      const refusal = () => new UnknownToken(digest, isAccessToken(token));
      if (found === undefined) throw refusal();
      const principal = found instanceof Promise ? derived(found, refusal) : found;
      return sudo === undefined ? principal : onBehalf(principal, sudo);
    },
  };
}

/** The caller with a deploy token is no user, and does not see what all users see. */
function callerWith(token: GatewayDeployToken): Principal {
  const scopes = token.scopes as DeployTokenScope[];
  const { deployTokenId, projectId, groupId, username, name } = token;
  return {
    ...{ userId: NOBODY, username, name, email: '', isAdmin: false, external: true },
    scopes: scopes.filter((scope) => scope === 'read_repository'),
    credential: { kind: 'deploy_token', id: deployTokenId },
    onBehalfBy: null,
    deployToken: { projectId, groupId, scopes },
  };
}

/** A token that never existed or has ended. */
export class UnknownToken extends Rejection<'unauthorized'> {
  readonly digest: string;
  /** Whether it has the form of an OAuth access token. */
  readonly isOauth: boolean;

  constructor(digest: string, isOauth = false) {
    super('unauthorized');
    this.digest = digest;
    this.isOauth = isOauth;
  }
}

const SHUT_OUT: Readonly<Record<string, string>> = {
  blocked: 'Your account has been blocked.',
  deactivated: 'Your account has been deactivated by your administrator.',
  banned: 'Your account has been banned.',
};

/** A user who may not sign in for now: blocked, banned or deactivated. */
export class BlockedUser extends Rejection<'forbidden'> {
  readonly userId: number;

  constructor(userId: number, reason: string) {
    super('forbidden', { reason });
    this.userId = userId;
  }
}

export function refuseBlocked({ state, id }: DirectoryUser): void {
  const reason = SHUT_OUT[state];
  if (reason !== undefined) throw new BlockedUser(id, reason);
}
