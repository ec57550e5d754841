import { createHash } from 'node:crypto';
import type { GitPolicy } from '../process/command-environment.ts';
import { listRefs } from '../refs/ref-store.ts';
import type { RepositoryContext } from '../repository-context.ts';
import type { ProtocolRequest } from './protocol-request.ts';

/** Arguments of a client that has no objects yet. A `have` differs from client to client, and `deepen-not` names a ref. */
const OF_CLONE =
  /^(?:want [0-9a-f]{40}|done|thin-pack|ofs-delta|include-tag|no-progress|deepen \d+|deepen-since \d+|filter \S+)$/;
/** These identify the client, so they are no part of the key. */
const IGNORED = /^(?:agent|session-id)=/;

/**
 * Returns undefined if the request is not a clone. The key holds all that the answer depends on: object ids, and for
 * `include-tag` the tags. The caller is no part of it, since all who may read the repository get the same answer.
 */
export async function keyOfClone(
  context: RepositoryContext,
  policy: GitPolicy,
  { capabilities, args }: ProtocolRequest,
): Promise<string | undefined> {
  if (!args.includes('done') || !args.every((line) => OF_CLONE.test(line))) return undefined;
  const said = capabilities.filter((line) => !IGNORED.test(line));
  if (!said.every((line) => line === 'object-format=sha1')) return undefined;
  const tags = args.includes('include-tag') ? await listRefs(context, 'refs/tags/') : [];
  const seen = tags.map(({ ref, oid }) => `${oid} ${ref}`);
  const parts = [context.key, policy.hiddenRefs, args, seen];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
