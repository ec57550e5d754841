/* The reference for services apart: plain `node:http` that sends each request on to the server at BEHIND. */
import { Agent, createServer, request as send } from 'node:http';

const agent = new Agent({ keepAlive: true });
const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const outgoing = send({
    agent,
    port: Number(process.env.BEHIND),
    host: '127.0.0.1',
    method,
    path,
    headers,
  });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
