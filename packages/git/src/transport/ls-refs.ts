/**
 * Answers `ls-refs` of protocol version 2 from the refs in memory: the first request of each fetch, and the only one if
 * nothing is new. Requests that are not understood here go to git.
 */
import { parseTag } from '../objects/commit-object.ts';
import type { GitPolicy } from '../process/command-environment.ts';
import { answerKey, memoized } from '../process/memoize.ts';
import { listRefs, type Ref, readHead } from '../refs/ref-store.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { FLUSH, packet } from './packet.ts';
import type { ProtocolRequest } from './protocol-request.ts';

interface Question {
  peel: boolean;
  symrefs: boolean;
  unborn: boolean;
  prefixes: string[];
}

/** Returns the answer's body; undefined if git must answer. */
export async function answerLsRefs(
  context: RepositoryContext,
  policy: GitPolicy,
  request: ProtocolRequest,
): Promise<Buffer | undefined> {
  const question = questionOf(request);
  return question && answerOf(context, policy, question);
}

function questionOf({ capabilities, args }: ProtocolRequest): Question | undefined {
  const question: Question = { peel: false, symrefs: false, unborn: false, prefixes: [] };
  if (!capabilities.every(isKnownCapability)) return undefined;
  return args.every((line) => takeArgument(question, line)) ? question : undefined;
}

const isKnownCapability = (line: string): boolean =>
  line === 'object-format=sha1' || line.startsWith('agent=');

function takeArgument(question: Question, line: string): boolean {
  if (line === 'peel' || line === 'symrefs' || line === 'unborn') question[line] = true;
  else if (line.startsWith('ref-prefix ')) question.prefixes.push(line.slice('ref-prefix '.length));
  else return false;
  return true;
}

async function answerOf(
  context: RepositoryContext,
  policy: GitPolicy,
  question: Question,
): Promise<Buffer | undefined> {
  const head = await readHead(context.gitDir).catch(() => undefined);
  const refs = await shown(context, policy);
  if (head === undefined || !refs) return undefined;
  const { peel, symrefs, unborn, prefixes } = question;
  const isAsked = (name: string) => prefixes.length === 0 || prefixes.some((one) => name.startsWith(one));
  const lines: string[] = [];
  if (isAsked('HEAD')) {
    const target = refs.find(({ ref }) => ref === head);
    const suffix = symrefs ? ` symref-target:${head}` : '';
    const peeled = peel ? (target?.peeled ?? '') : '';
    if (target) lines.push(packet(`${target.oid} HEAD${suffix}${peeled}`));
    else if (unborn) lines.push(packet(`unborn HEAD${suffix}`));
  }
  for (const { ref, oid, peeled } of refs)
    if (isAsked(ref)) lines.push(packet(peel ? `${oid} ${ref}${peeled}` : `${oid} ${ref}`));
  return Buffer.from(`${lines.join('')}${FLUSH}`);
}

/** `peeled` is the suffix of an annotated tag, empty for other refs. */
type Shown = Ref & { peeled: string };

/** Visible refs, valid until one moves; undefined if one names a missing object. */
async function shown(context: RepositoryContext, policy: GitPolicy): Promise<readonly Shown[] | undefined> {
  const refs = await listRefs(context);
  const key = answerKey(context, ['shown', ...policy.hiddenRefs]);
  const known = context.answers.get(key) as { refs: readonly Ref[]; shown: readonly Shown[] } | undefined;
  if (known?.refs === refs) return known.shown;
  const isHidden = (ref: string) => policy.hiddenRefs.some((one) => ref === one || ref.startsWith(`${one}/`));
  const result: Shown[] = [];
  const visible = refs.filter(({ ref }) => !isHidden(ref));
  for (let from = 0; from < visible.length; from += AT_ONCE) {
    const some = visible.slice(from, from + AT_ONCE);
    const peeled = await Promise.all(some.map(({ oid }) => peeledOf(context, oid)));
    if (peeled.includes(undefined)) return undefined;
    result.push(...some.map(({ ref, oid }, at) => ({ ref, oid, peeled: peeled[at]! })));
  }
  context.answers.set(key, { refs, shown: result }, REF_BYTES * (result.length + 2));
  return result;
}

/** Objects requested at once. */
const AT_ONCE = 256;
/** Estimated bytes in memory of a shown ref. */
const REF_BYTES = 100;

/** Returns undefined if the object, or the one that the tags lead to, is missing. */
async function peeledOf(context: RepositoryContext, oid: string): Promise<string | undefined> {
  return memoized(context, ['peeled', oid], async () => {
    let target = oid;
    for (let type = (await context.objects.info(oid))?.type; type === 'tag'; ) {
      target = parseTag(target, await context.objects.need(target, 'tag')).targetId;
      type = (await context.objects.info(target))?.type;
    }
    if (!(await context.objects.info(target))) return undefined;
    return target === oid ? '' : ` peeled:${target}`;
  });
}
