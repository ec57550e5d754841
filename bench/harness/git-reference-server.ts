/*
 * The reference for file reads: `node:http` in front of one long-lived `git cat-file --batch` (GIT_DIR), which receives
 * blob ids in request order.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const args = ['--git-dir', process.env.GIT_DIR ?? '', 'cat-file', '--batch'];
const git = spawn('git', args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.on('exit', () => git.kill());

const waiting: ((blob: Buffer) => void)[] = [];
let received: Buffer = Buffer.alloc(0);

git.stdout.on('data', (chunk: Buffer) => {
  received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
  for (;;) {
    const line = received.indexOf(10);
    if (line < 0) return;
    const size = Number(received.toString('latin1', 0, line).split(' ')[2]);
    const end = line + 1 + size;
    if (received.length <= end) return;
    waiting.shift()?.(received.subarray(line + 1, end));
    received = received.subarray(end + 1);
  }
});

const server = createServer((request, response) => {
  waiting.push((blob) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': blob.length });
    response.end(blob);
  });
  git.stdin.write(`${request.url?.slice(1)}\n`);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
