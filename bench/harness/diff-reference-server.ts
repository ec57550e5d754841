/*
 * The reference for comparisons: `node:http` in front of one long-lived `git diff-tree --stdin` (GIT_DIR) with the
 * product's arguments. `/<tree>/<tree>` returns git's output for the two trees.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const args = [
  'diff-tree',
  '--stdin',
  '-r',
  '-M',
  '-l1000',
  '-z',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
];
const format = ['--raw', '--patch', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '-U3'];
const git = spawn('git', ['--git-dir', process.env.GIT_DIR ?? '', ...args, ...format], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
process.on('exit', () => git.kill());

/** git echoes a line that names no object, and flushes its output only then; without it the caller waits forever. */
const MARK = Buffer.from('END-OF-ANSWER\n');
const waiting: ((diff: Buffer) => void)[] = [];
let received: Buffer = Buffer.alloc(0);

git.stdout.on('data', (chunk: Buffer) => {
  received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
  for (let end = received.indexOf(MARK); end >= 0; end = received.indexOf(MARK)) {
    waiting.shift()?.(received.subarray(received.indexOf(10) + 1, end));
    received = received.subarray(end + MARK.length);
  }
});

const server = createServer((request, response) => {
  if (request.url === '/') return response.end();
  waiting.push((diff) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': diff.length });
    response.end(diff);
  });
  git.stdin.write(`${request.url?.slice(1).replace('/', ' ')}\n`);
  git.stdin.write(MARK);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
