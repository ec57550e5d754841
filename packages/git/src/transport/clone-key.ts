/** Which requests for a pack have the same answer. */
import { createHash } from 'node:crypto';
import type { GitPolicy } from '../process/command-environment.ts';
import { listRefs } from '../refs/ref-store.ts';
import type { RepositoryContext } from '../repository-context.ts';
import type { ProtocolRequest } from './protocol-request.ts';

/**
 * What a client sends that has nothing of the repository yet: whoever has something has it in a state of their own, and a
 * `deepen-not` names a ref, which moves.
 */
const OF_CLONE =
  /^(?:want [0-9a-f]{40}|done|thin-pack|ofs-delta|include-tag|no-progress|deepen \d+|deepen-since \d+|filter \S+)$/;
/** They say who asks. */
const IGNORED = /^(?:agent|session-id)=/;

/**
 * undefined where the request is not a clone's. The key holds all that the answer depends on: objects never change, any
 * may be asked for by its id, and of the refs git looks at tags alone, for `include-tag`. Not the caller: they may read
 * the repository, or their request would not have come here, and everybody who may gets the same.
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
