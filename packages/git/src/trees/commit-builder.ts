/** Makes commits and annotated tags: objects only, no ref is touched. */
import { GitError, ObjectNotFoundError } from '../errors.ts';
import { newObject, writeObjects } from '../objects/loose-object-writer.ts';
import { assertOid, EMPTY_TREE } from '../objects/object-id.ts';
import { assertRefName } from '../refs/ref-name.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { editTree, type FileAction } from './tree-editor.ts';
import { treeOf } from './tree-reader.ts';

/** `zone` as git writes it, default `+0000`. */
export interface Person {
  name: string;
  email: string;
  date: Date;
  zone?: string;
}

export interface CommitRequest {
  /** Commits; none for the first one of a repository. */
  parents: string[];
  /** What the actions start from: default the tree of the first parent, or the empty tree. */
  baseTree?: string;
  actions: FileAction[];
  author: Person;
  /** Default the author. */
  committer?: Person;
  /** Kept as it is. May not hold NUL. */
  message: string;
}

export interface BuiltCommit {
  oid: string;
  treeOid: string;
  /** Whether the tree differs from the base. A commit without a change is built all the same. */
  changed: boolean;
  /** Paths whose update or chmod left the file as it was. */
  unchanged: string[];
}

/** Builds and stores a commit: durable when this resolves. Throws CommitActionError, and then nothing was stored. */
export async function buildCommit(context: RepositoryContext, request: CommitRequest): Promise<BuiltCommit> {
  const [firstParent] = request.parents;
  const baseTree =
    request.baseTree ?? (firstParent === undefined ? EMPTY_TREE : await treeOf(context, firstParent));
  const { treeOid, objects, unchanged } = await editTree(context, assertOid(baseTree), request.actions);
  const commit = newObject('commit', commitContent(treeOid, request));
  await writeObjects(context, [...objects, commit]);
  return { oid: commit.oid, treeOid, changed: treeOid !== baseTree, unchanged };
}

/** Stores a commit of a tree that exists: for merges, reverts and rebases. Returns its id. */
export async function commitTree(
  context: RepositoryContext,
  request: Omit<CommitRequest, 'actions' | 'baseTree'> & { treeOid: string },
): Promise<string> {
  if ((await context.objects.info(request.treeOid))?.type !== 'tree')
    throw new ObjectNotFoundError(request.treeOid, 'tree');
  const commit = newObject('commit', commitContent(request.treeOid, request));
  await writeObjects(context, [commit]);
  return commit.oid;
}

export interface TagRequest {
  name: string;
  targetOid: string;
  tagger: Person;
  message: string;
}

/** Stores an annotated tag object and returns its id. The ref that names it is the caller's to set. */
export async function buildTag(context: RepositoryContext, request: TagRequest): Promise<string> {
  assertRefName(`refs/tags/${request.name}`);
  const target = await context.objects.info(request.targetOid);
  if (!target) throw new ObjectNotFoundError(request.targetOid);
  const message = request.message.endsWith('\n') ? request.message : `${request.message}\n`;
  const lines = [`object ${request.targetOid}`, `type ${target.type}`, `tag ${request.name}`];
  const tagger = `tagger ${person(request.tagger)}`;
  const tag = newObject('tag', Buffer.from(`${[...lines, tagger].join('\n')}\n\n${checked(message)}`));
  await writeObjects(context, [tag]);
  return tag.oid;
}

function commitContent(treeOid: string, request: Omit<CommitRequest, 'actions' | 'baseTree'>): Buffer {
  const { author, committer = author, parents, message } = request;
  const lines = [
    `tree ${treeOid}`,
    ...parents.map((parent) => `parent ${assertOid(parent)}`),
    `author ${person(author)}`,
    `committer ${person(committer)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${checked(message)}`);
}

function checked(message: string): string {
  if (message.includes('\0')) throw new GitError('invalid_message', 'a message may not hold NUL');
  return message;
}

/** As git cleans it: nothing that would end the name or the line, no punctuation at the ends. */
function person({ name, email, date, zone = '+0000' }: Person): string {
  const clean = (text: string) =>
    text.replace(/[\x00-\x1f\x7f<>]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '');
  const cleanEmail = clean(email).replace(/\s/g, '');
  const seconds = Math.max(0, Math.floor(date.getTime() / 1000));
  if (!Number.isFinite(seconds) || !/^[+-]\d{4}$/.test(zone))
    throw new GitError('invalid_date', 'a date is invalid');
  return `${clean(name) || cleanEmail.split('@')[0] || 'unknown'} <${cleanEmail}> ${seconds} ${zone}`;
}
