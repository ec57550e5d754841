import { decodeAs } from '../text.ts';
import { type GitDate, gitDate } from './git-date.ts';
import { parseTrailers, type Trailer } from './trailers.ts';

export interface Signature {
  name: string;
  email: string;
  date: GitDate;
}

export interface Commit {
  id: string;
  parentIds: string[];
  treeId: string;
  author: Signature;
  committer: Signature;
  /** The raw message, with its final newline. */
  message: string;
  /** The first paragraph joined to one line, like `git log --format=%s`. */
  title: string;
  trailers: Trailer[];
}

export interface Tag {
  id: string;
  name: string;
  targetId: string;
  targetType: string;
  /** Missing in some old tags. */
  tagger: Signature | undefined;
  message: string;
}

export function parseCommit(id: string, content: Buffer): Commit {
  const { headers, body } = splitObject(content);
  const encoding = headers.find(([key]) => key === 'encoding')?.[1].toString('latin1');
  const first = (key: string) => headers.find(([name]) => name === key)?.[1];
  const message = decodeAs(body, encoding);
  return {
    id,
    parentIds: headers.filter(([key]) => key === 'parent').map(([, value]) => value.toString('latin1')),
    treeId: first('tree')?.toString('latin1') ?? '',
    author: parseSignature(first('author'), encoding),
    committer: parseSignature(first('committer'), encoding),
    message,
    title: titleOf(message),
    trailers: parseTrailers(message),
  };
}

export function parseTag(id: string, content: Buffer): Tag {
  const { headers, body } = splitObject(content);
  const value = (key: string) => headers.find(([name]) => name === key)?.[1];
  return {
    id,
    name: decodeAs(value('tag') ?? Buffer.alloc(0), undefined),
    targetId: value('object')?.toString('latin1') ?? '',
    targetType: value('type')?.toString('latin1') ?? '',
    tagger: value('tagger') && parseSignature(value('tagger'), undefined),
    message: decodeAs(body, undefined),
  };
}

/** Parses only the tree, which always comes first. */
export function commitTreeId(content: Buffer): string {
  return content.toString('latin1', 'tree '.length, 'tree '.length + 40);
}

/** Parses only the parents, which follow the tree. */
export function commitParentIds(content: Buffer): string[] {
  const parents: string[] = [];
  for (let at = TREE_LINE; content.toString('latin1', at, at + 7) === 'parent '; at += PARENT_LINE)
    parents.push(content.toString('latin1', at + 7, at + 47));
  return parents;
}

/** Parses only the commit time in seconds since 1970; 0 if it is malformed. */
export function committedSeconds(content: Buffer): number {
  const at = content.indexOf('\ncommitter ') + 1;
  const line = content.toString('latin1', at, content.indexOf(10, at));
  return gitDate(Number.parseInt(line.slice(line.lastIndexOf('>') + 1), 10), '').seconds;
}

const TREE_LINE = 'tree \n'.length + 40;
const PARENT_LINE = 'parent \n'.length + 40;

/** Joins the lines up to the first blank one; skips leading blank lines. */
export function titleOf(message: string): string {
  const lines = message.replace(/^\s*\n/, '').split('\n');
  const end = lines.findIndex((line) => line.trim() === '');
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trimEnd()).join(' ');
}

/** Splits off the headers. A line that starts with a space continues the one before. */
function splitObject(content: Buffer): { headers: [string, Buffer][]; body: Buffer } {
  const headers: [string, Buffer][] = [];
  let at = 0;
  while (at < content.length && content[at] !== 10) {
    const newline = content.indexOf(10, at);
    const end = newline < 0 ? content.length : newline;
    const line = content.subarray(at, end);
    const last = headers.at(-1);
    if (line[0] === 32 && last) last[1] = Buffer.concat([last[1], NEWLINE, line.subarray(1)]);
    else {
      const space = line.indexOf(32);
      headers.push([line.toString('latin1', 0, Math.max(space, 0)), line.subarray(space + 1)]);
    }
    at = end + 1;
  }
  return { headers, body: content.subarray(at + 1) };
}

const NEWLINE = Buffer.from('\n');

/** Parses `Name <email> seconds zone` from the right, since a name may contain anything. */
function parseSignature(line: Buffer | undefined, encoding: string | undefined): Signature {
  const text = decodeAs(line ?? Buffer.alloc(0), encoding);
  const close = text.lastIndexOf('>');
  const open = text.indexOf('<');
  const [seconds = '', zone = '+0000'] = text
    .slice(close + 1)
    .trim()
    .split(' ');
  return {
    name: text.slice(0, Math.max(open, 0)).trim(),
    email: open >= 0 && close > open ? text.slice(open + 1, close) : '',
    date: gitDate(Number.parseInt(seconds, 10), zone),
  };
}
