/* Plain `node:http` that begins an event stream and never ends it, to measure what a connection itself needs. */
import { createServer } from 'node:http';

createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (request.url === '/ready') response.end();
  else response.write(': an event stream\n\n');
}).listen(Number(process.env.PORT), '127.0.0.1');
