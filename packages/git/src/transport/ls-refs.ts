/**
 * Protocol version 2's `ls-refs`, answered from the refs that are in memory: what a fetch asks first, and all that one with
 * nothing new asks. Whatever is not understood here is for git.
 */
import { Readable } from 'node:stream';
import { parseTag } from '../objects/commit-object.ts';
import type { GitPolicy } from '../process/command-environment.ts';
import { answerKey, memoized } from '../process/memoize.ts';
import { listRefs, type Ref, readHead } from '../refs/ref-store.ts';
import type { RepositoryContext } from '../repository-context.ts';

/** `gitprotocol-v2(5)`: lines begin with their length in four hexadecimal digits; these are none. */
const FLUSH = '0000';
const DELIMITER = '0001';
const COMMAND = /^00(13command=ls-refs|14command=ls-refs\n)/;
const LONGEST_COMMAND = 20;
/** git itself sends some hundred bytes and a prefix for each name that is fetched. */
const MAX_REQUEST = 64 * 1024;

interface Question {
  peel: boolean;
  symrefs: boolean;
  unborn: boolean;
  prefixes: string[];
}

/**
 * The answer to the request in `body`; where it is a question for git, the body to give it: what was read of it here
 * cannot be put back once its end was seen.
 */
export async function answerLsRefs(
  context: RepositoryContext,
  policy: GitPolicy,
  body: Readable,
): Promise<{ answer: Buffer } | { body: Readable }> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const { bytes, isWhole } = await begin(chunks);
  const question = isWhole ? parse(bytes) : undefined;
  const answer = question && (await answerOf(context, policy, question));
  if (!answer) return { body: Readable.from(from(bytes, chunks), { objectMode: false }) };
  body.resume(); // so that the request can end
  return { answer };
}

/** The whole of a short request for refs, or the beginning of another one. Rejects where it breaks off. */
async function begin(chunks: AsyncIterator<Buffer>): Promise<{ bytes: Buffer; isWhole: boolean }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return { bytes, isWhole: false };
    bytes = Buffer.concat([bytes, value]);
    const isOurs = COMMAND.test(bytes.toString('latin1', 0, LONGEST_COMMAND));
    if (!isOurs || bytes.length > MAX_REQUEST) return { bytes, isWhole: false };
    if (bytes.toString('latin1', bytes.length - FLUSH.length) === FLUSH) return { bytes, isWhole: true };
  }
}

async function* from(bytes: Buffer, chunks: AsyncIterator<Buffer>) {
  yield bytes;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function parse(bytes: Buffer): Question | undefined {
  const question: Question = { peel: false, symrefs: false, unborn: false, prefixes: [] };
  let isArgument = false;
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.toString('latin1', at, at + 4);
    if (head === FLUSH) return at + 4 === bytes.length ? question : undefined;
    if (head === DELIMITER) {
      isArgument = true;
      at += 4;
      continue;
    }
    const length = /^[0-9a-f]{4}$/.test(head) ? Number.parseInt(head, 16) : 0;
    if (length <= 4 || at + length > bytes.length) return undefined;
    const line = bytes.toString('utf8', at + 4, at + length).replace(/\n$/, '');
    if (isArgument ? !takeArgument(question, line) : !isKnownCapability(line)) return undefined;
    at += length;
  }
  return undefined;
}

const isKnownCapability = (line: string): boolean =>
  line === 'command=ls-refs' || line === 'object-format=sha1' || line.startsWith('agent=');

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

function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 5).toString(16).padStart(4, '0')}${text}\n`;
}

/** `peeled`: what git says behind an annotated tag, empty for all else. */
type Shown = Ref & { peeled: string };

/** Refs that may be seen, as long as none of them moves; undefined where one names an object that is not there. */
async function shown(context: RepositoryContext, policy: GitPolicy): Promise<readonly Shown[] | undefined> {
  const refs = await listRefs(context);
  const key = answerKey(context, ['shown']);
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

/** Objects that are asked for at once. */
const AT_ONCE = 256;
/** Bytes in memory, about, of a ref that is shown. */
const REF_BYTES = 100;

/** undefined where there is no such object, or one at the end of the tags. */
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
