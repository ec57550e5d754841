/** A repository with everything that breaks careless readers. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitBytes, gitText } from './stock-git.ts';

/** Creates it at `folder` with a work tree, and returns the ids of its branch tips. */
export function makeOddRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) => gitText(folder, args);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  let seconds = 1_632_114_372;
  const commit = (message: string | Buffer, zone = '+0300') => {
    seconds += 3_600;
    const date = `${seconds} ${zone}`;
    const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: `${seconds + 60} +0000` };
    git('add', '-A');
    gitBytes(folder, ['commit', '-q', '--allow-empty', '-F', '-'], { env, input: message });
  };

  git('init', '-q', '-b', 'main');
  write('README.md', '# Odd\n\nfirst\nsecond\nthird\n');
  write('empty', '');
  write('no-newline', 'one\ntwo\nthree');
  write('crlf.txt', 'one\r\ntwo\r\n');
  write('unicode/grüße 世界.txt', 'hällo\n');
  write('with space/100% sure.txt', 'percent\n');
  write('new\nline "quoted"\t.txt', 'odd name\n');
  write('latin1.txt', Buffer.from('caf\xe9\nna\xefve\n', 'latin1'));
  write('binary.bin', Buffer.from(Array.from({ length: 2048 }, (_, index) => (index * 37) % 256)));
  write('deep/er/and/deeper/file.txt', 'deep\n');
  write('deep.txt', 'sorts before the folder deep\n');
  write('script.sh', '#!/bin/sh\n');
  chmodSync(join(folder, 'script.sh'), 0o755);
  symlinkSync('README.md', join(folder, 'link'));
  commit('First\n\nWith a body.\n\nSigned-off-by: Ann Author <ann@example.com>\nChangelog: added\n');

  write('README.md', '# Odd\n\nfirst\nsecond, changed\nthird\nfourth\n');
  write('binary.bin', Buffer.from([0, 1, 2, 3]));
  write('no-newline', 'one\ntwo changed\nthree');
  commit('Change a few\nand go on in the title\n\nBody\n\nnot a trailer\nFixes: 1\n', '-0730');

  git('mv', 'deep/er/and/deeper/file.txt', 'deep/moved.txt');
  rmSync(join(folder, 'link'));
  write('link', 'a file now\n');
  chmodSync(join(folder, 'script.sh'), 0o644);
  commit('Move, and turn a link into a file\n\nChangelog: changed\n  folded\nReviewed-by: B\n\n');

  git('checkout', '-q', '-b', 'side', 'HEAD~1');
  write('side.txt', 'side\n');
  commit('On the side');
  git('checkout', '-q', 'main');
  write('main.txt', 'main\n');
  commit(Buffer.from('Caf\xe9 in a message without an encoding\n', 'latin1'), '+0545');
  const env = { GIT_AUTHOR_DATE: `${seconds + 90} +0000`, GIT_COMMITTER_DATE: `${seconds + 90} +0000` };
  gitBytes(folder, ['merge', '-q', '--no-ff', '-m', 'Merge side', 'side'], { env });
  seconds += 3_600;

  const gitlink = git('rev-parse', 'HEAD');
  git('update-index', '--add', '--cacheinfo', `160000,${gitlink},vendored`);
  gitBytes(folder, ['commit', '-q', '-m', 'Vendor a submodule'], {
    env: { GIT_AUTHOR_DATE: `${seconds} +0000`, GIT_COMMITTER_DATE: `${seconds} +0000` },
  });
  nameThatIsNoText(folder);
  git('-c', 'tag.gpgSign=false', 'tag', 'v1.0.0', 'HEAD~2');
  git('tag', '-a', '-m', 'Version two\n\nwith a body', 'v2.0.0', 'HEAD');
  git('tag', '-a', '-m', 'a tag of a tag', 'v2.0.0-again', 'v2.0.0');
  git('tag', '-a', '-m', 'a tag of a blob', 'a-blob', 'HEAD:README.md');
  git('branch', 'feature/with.dots-and_more');
  git('branch', 'v1.0.0', 'HEAD~1'); // a branch and a tag of one name
  git('checkout', '-q', '--orphan', 'unrelated');
  git('rm', '-rfq', '--cached', '.');
  gitBytes(folder, ['commit', '-q', '--allow-empty', '-m', 'Nothing in common'], { env });
  git('checkout', '-q', '-f', 'main');
  git('pack-refs', '--all');
  git('branch', 'loose-one', 'main~1'); // loose beside packed
}

/** A file with a Latin-1 name, which no file system call with UTF-8 can create. */
function nameThatIsNoText(folder: string) {
  const blob = gitText(folder, ['hash-object', '-w', '--stdin'], { input: 'name\n' });
  const entry = Buffer.concat([
    Buffer.from(`100644 ${blob}\t`),
    Buffer.from('na\xefve.txt', 'latin1'),
    Buffer.from([0]),
  ]);
  gitBytes(folder, ['update-index', '-z', '--index-info'], { input: entry });
  const env = { GIT_AUTHOR_DATE: '1632200000 +0000', GIT_COMMITTER_DATE: '1632200000 +0000' };
  gitBytes(folder, ['commit', '-q', '-m', 'A name in Latin-1'], { env });
}
