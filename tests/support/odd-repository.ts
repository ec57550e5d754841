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
