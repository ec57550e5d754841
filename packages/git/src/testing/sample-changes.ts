import type { FileAction } from '../trees/tree-editor.ts';

/** The author of all test commits, at a fixed time and zone. */
export const ann = {
  name: 'Ann',
  email: 'ann@example.com',
  date: new Date('2021-09-20T06:06:12Z'),
  zone: '+0300',
};

export const text = (content: string) => Buffer.from(content);

/** A first commit: files at the top and below, an executable, and a name that sorts between a folder and its files. */
export const START: FileAction[] = [
  { action: 'create', path: 'a.txt', content: text('a\n') },
  { action: 'create', path: 'dir/b.txt', content: text('b\n') },
  { action: 'create', path: 'dir/sub/c.sh', content: text('c\n'), executable: true },
  { action: 'create', path: 'dir.x', content: text('sorts between\n') },
];
