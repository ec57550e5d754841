/*
 * The reference for git over HTTP: `node:http` in front of `git http-backend`, a process for each request as a web server
 * would start it (GIT_PROJECT_ROOT). No authentication, no limits, no log.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const HEADER_END = Buffer.from('\r\n\r\n');

const server = createServer((request, response) => {
  if (request.url === '/') return response.end();
  const { pathname, search } = new URL(request.url ?? '/', 'http://host');
  const git = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: process.env.GIT_PROJECT_ROOT,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  request.pipe(git.stdin);
  git.stdin.on('error', () => {});
  let head: Buffer = Buffer.alloc(0);
  const takeHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(HEADER_END);
    if (end < 0) return;
    git.stdout.off('data', takeHead);
    const lines = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const { Status: status = '200', ...headers } = Object.fromEntries(lines);
    response.writeHead(Number.parseInt(status, 10), headers);
    response.write(head.subarray(end + HEADER_END.length));
    git.stdout.pipe(response);
  };
  git.stdout.on('data', takeHead);
  git.stdout.on('end', () => {
    if (!response.headersSent) response.writeHead(500).end();
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
