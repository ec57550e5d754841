/* Receives messages of hooks: at `/slow` it takes its time to answer. `/told` says how many came elsewhere, and when the last. */
import { createServer } from 'node:http';

const SLOW_MS = 8_000;
let told = 0;
let at = 0;

createServer((request, response) => {
  if (request.url === '/ready') return void response.end();
  if (request.url === '/told') {
    const text = JSON.stringify({ told, at });
    return void response.writeHead(200, { 'Content-Length': text.length }).end(text);
  }
  request.resume().on('end', () => {
    if (request.url === '/slow') setTimeout(() => response.end(), SLOW_MS);
    else {
      told += 1;
      at = Date.now();
      response.end();
    }
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
