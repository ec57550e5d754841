import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitAll, git } from './repositories.ts';

/** Names that an encoder, a shell or a header could trip over. */
export const ODD_PATHS = [
  'plain.txt',
  'with space.txt',
  '100%.txt',
  'a+b&c=d?e#f.txt',
  'Größe/日本語.md',
  'deep/er/est/file.rb',
  '-rf',
  'quote\'"s.txt',
  'tab\there.txt',
  'dots.tar.gz',
  '🎉.txt',
];

/** A history with everything that makes paths, trees and commits odd. On branch main; the folder must be empty. */
export function writeOddHistory(folder: string): void {
  const write = (path: string, content: string | Buffer) => {
    const full = join(folder, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, content);
  };
  for (const path of ODD_PATHS) write(path, `content of ${path}\nsecond line\n`);
  write('empty', '');
  write('no-newline', 'last line without end');
  write('binary.bin', Buffer.from([0, 1, 2, 255, 254, 0]));
  write('latin1.txt', Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
  write('crlf.txt', 'one\r\ntwo\r\n');
  write('script.sh', '#!/bin/sh\n');
  chmodSync(join(folder, 'script.sh'), 0o755);
  symlinkSync('plain.txt', join(folder, 'link'));
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'5'.repeat(40)},submodule`);
  commitAll(folder, 'First: everything odd\n\nWith a body.');
  git(folder, 'tag', 'v1.0.0');
  write('plain.txt', 'content of plain.txt\nchanged line\nthird line\n');
  commitAll(folder, 'Change plain.txt', 'Änne Autörin <aenne@example.org>');
  git(folder, 'tag', '-a', '-m', 'Second\n\nannotated', 'v1.1.0');
  git(folder, 'checkout', '-q', '-b', 'feature/one');
  write('feature.txt', 'feature\n');
  renameSync(join(folder, 'deep/er/est/file.rb'), join(folder, 'deep/moved.rb'));
  commitAll(folder, 'Feature work', 'Bo Builder <bo@example.org>');
  rmSync(join(folder, 'crlf.txt'));
  write('binary.bin', Buffer.from([0, 9, 9, 9]));
  commitAll(folder, 'More feature work', 'Bo Builder <bo@example.org>');
  git(folder, 'checkout', '-q', 'main');
  write('main-only.txt', 'main\n');
  commitAll(folder, 'Work on main');
  git(folder, 'branch', 'merged-away');
  git(folder, 'merge', '-q', '--no-ff', '-m', 'Merge the first half', 'feature/one~1');
  git(folder, 'branch', 'ünï.code');
  git(folder, 'branch', '100%');
  // One name for a branch and a tag that are different commits: the branch comes first.
  git(folder, 'branch', 'same-name', 'v1.0.0');
  git(folder, 'tag', 'same-name', 'main');
  git(folder, 'tag', 'a-tree', 'main^{tree}');
}

/**
 * A commit of ten thousand million files, in a repository of a few kilobytes: a folder of ten files, and ten times a
 * folder of ten times the one before. On branch main; the folder must be empty.
 */
export function writeEndlessTree(folder: string): void {
  const file = join(folder, 'object');
  const store = (type: 'blob' | 'tree', content: Buffer) => {
    writeFileSync(file, content);
    return git(folder, 'hash-object', '-t', type, '-w', file);
  };
  let mode = '100644';
  let oid = store('blob', Buffer.from('the same content\n'));
  for (let depth = 0; depth < 10; depth += 1) {
    const entries = Array.from({ length: 10 }, (_, at) => [
      Buffer.from(`${mode} ${at}\0`),
      Buffer.from(oid, 'hex'),
    ]);
    oid = store('tree', Buffer.concat(entries.flat()));
    mode = '40000';
  }
  git(folder, 'update-ref', 'refs/heads/main', git(folder, 'commit-tree', '-m', 'Endless', oid));
}
