/** Builds commits and annotated tags. It writes objects and moves no ref. */
import { GitError, ObjectNotFoundError } from '../errors.ts';
import { commitTreeId } from '../objects/commit-object.ts';
import { newObject, writeObjects } from '../objects/loose-object-writer.ts';
import { assertOid, EMPTY_TREE } from '../objects/object-id.ts';
import { assertRefName } from '../refs/ref-name.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { editTree, type FileAction } from './tree-editor.ts';
import { treeOf } from './tree-reader.ts';

/** `zone` is in git's form, by default `+0000`. */
export interface Person {
  name: string;
  email: string;
  date: Date;
  zone?: string;
}

export interface CommitRequest {
  /** Commit ids; empty for a first commit. */
  parents: string[];
  /** The tree that the actions edit. Default: the first parent's, or the empty tree. */
  baseTree?: string;
  actions: FileAction[];
  author: Person;
  /** Defaults to the author. */
  committer?: Person;
  /** Stored as it is. Must not contain NUL. */
  message: string;
}

export interface BuiltCommit {
  oid: string;
  treeOid: string;
  /** Whether the tree differs from the base. A commit is built even if it does not. */
  changed: boolean;
  /** Paths that an update or chmod left unchanged. */
  unchanged: string[];
}

/** Builds and stores a commit; durable when it resolves. @throws CommitActionError, with nothing stored */
export async function buildCommit(context: RepositoryContext, request: CommitRequest): Promise<BuiltCommit> {
  const [firstParent] = request.parents;
  const baseTree =
    request.baseTree ?? (firstParent === undefined ? EMPTY_TREE : await treeOf(context, firstParent));
  const { treeOid, objects, unchanged } = await editTree(context, assertOid(baseTree), request.actions);
  const commit = newObject('commit', commitContent(treeOid, request));
  await writeObjects(context, [...objects, commit]);
  return { oid: commit.oid, treeOid, changed: treeOid !== baseTree, unchanged };
}

/** The id of a tree with these plain files and no others. It stores nothing. */
export async function treeOfFiles(
  context: RepositoryContext,
  files: ReadonlyMap<string, Buffer>,
): Promise<string> {
  return (await editTree(context, EMPTY_TREE, created(files))).treeOid;
}

/**
 * Stores a commit as it was, bytes for bytes, with the plain files of its tree. Its parents must be there.
 * @throws GitError if its tree is another one
 */
export async function restoreCommit(
  context: RepositoryContext,
  content: Buffer,
  files: ReadonlyMap<string, Buffer>,
): Promise<string> {
  return restoreEdit(context, content, { parent: undefined, actions: created(files) });
}

/** What a commit does with the tree of its parent; without one, with the empty tree. */
export interface TreeEdit {
  parent: string | undefined;
  actions: FileAction[];
}

/** The same, of a commit that changes the tree of its parent in this way. @throws GitError if its tree is another one */
export async function restoreEdit(
  context: RepositoryContext,
  content: Buffer,
  edit: TreeEdit,
): Promise<string> {
  const { treeOid, objects } = await edited(context, edit);
  if (commitTreeId(content) !== treeOid) throw new GitError('other_tree', 'a commit has other files');
  const commit = newObject('commit', content);
  await writeObjects(context, [...objects, commit]);
  return commit.oid;
}

/** The id of the tree after an edit. It stores nothing. @throws CommitActionError where it does not apply */
export const treeAfter = async (context: RepositoryContext, edit: TreeEdit): Promise<string> =>
  (await edited(context, edit)).treeOid;

const edited = async (context: RepositoryContext, { parent, actions }: TreeEdit) =>
  editTree(context, parent === undefined ? EMPTY_TREE : await treeOf(context, parent), actions);

const created = (files: ReadonlyMap<string, Buffer>): FileAction[] =>
  [...files].map(([path, bytes]) => ({ action: 'create', path, content: bytes }));

/** Stores a commit of an existing tree, for merges, reverts and rebases. Returns its id. */
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

/** Stores an annotated tag and returns its id. The caller sets the ref. */
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

/** Cleans a name like git: drops what would end the name or line, and punctuation at its ends. */
function person({ name, email, date, zone = '+0000' }: Person): string {
  const clean = (text: string) =>
    text.replace(/[\x00-\x1f\x7f<>]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '');
  const cleanEmail = clean(email).replace(/\s/g, '');
  const seconds = Math.max(0, Math.floor(date.getTime() / 1000));
  if (!Number.isFinite(seconds) || !/^[+-]\d{4}$/.test(zone))
    throw new GitError('invalid_date', 'a date is invalid');
  return `${clean(name) || cleanEmail.split('@')[0] || 'unknown'} <${cleanEmail}> ${seconds} ${zone}`;
}
