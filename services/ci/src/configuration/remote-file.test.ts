import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { NO_REMOTE_FILES, remoteFiles } from './remote-file.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stands for the public network. */
const onLoopback = { isAllowed: (address: string) => address === '127.0.0.1' };
const notFetched = (reason: string) => ({ refused: 'not fetched', reason });
const NOT_PUBLIC = notFetched('its address is not a public one');

test('a file is fetched, without credentials and after redirects', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/old.yml') response.writeHead(302, { location: '/new.yml?x=1' }).end('moved');
    else response.end(JSON.stringify([request.url, request.headers.authorization, request.headers.cookie]));
  });
  const answer = await remoteFiles(onLoopback)(
    url.replace('http://', 'http://user:secret@').concat('/old.yml'),
  );
  expect(answer).toEqual({
    files: [{ name: expect.stringMatching(/old\.yml$/), text: '["/new.yml?x=1",null,null]' }],
  });
});

test.each([
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.9.9',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[fe80::1]',
  '[fd00::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[ff02::1]',
  'localhost',
])('nothing is fetched from %s', async (host) => {
  const answer = await remoteFiles({ timeoutMs: 5000 })(`http://${host}:9/a.yml`);
  expect(answer).toEqual(NOT_PUBLIC);
});

test('a redirect leads neither to a private address nor to another protocol', async () => {
  let location = '';
  let asked = 0;
  const inside = await serve((_, response) => response.end(`${++asked}`));
  const url = await serve((_, response) => response.writeHead(301, { location }).end());
  const ownPort = new URL(url).port;
  // Connects where the first server is; the other names are what an attacker would try.
  const fetchFile = remoteFiles({ isAllowed: (address) => address === '127.0.0.1' });
  for (location of [inside.replace('127.0.0.1', '[::1]'), inside.replace('127.0.0.1', '127.0.0.2')])
    expect(await fetchFile(`${url}/a.yml`)).toEqual(NOT_PUBLIC);
  location = 'file:///etc/passwd';
  expect(await fetchFile(`${url}/a.yml`)).toEqual(
    notFetched('it redirects to something else than http or https'),
  );
  location = 'http://[';
  expect(await fetchFile(`${url}/a.yml`)).toEqual(notFetched('it redirects to no address'));
  location = `http://127.0.0.1:${ownPort}/again`;
  expect(await fetchFile(`${url}/a.yml`)).toEqual(notFetched('it redirects too often'));
  expect(asked).toBe(0);
});

test('a name is checked by the addresses that are connected to', async () => {
  const checked: string[] = [];
  const isAllowed = (address: string) => {
    checked.push(address);
    return false;
  };
  expect(await remoteFiles({ isAllowed })('http://localhost:9/a.yml')).toEqual(NOT_PUBLIC);
  expect(checked.length).toBeGreaterThan(0);
});

test('size, time and statuses are bounded', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/missing.yml') response.writeHead(404).end();
    else if (request.url === '/broken.yml') response.writeHead(500).end();
    else if (request.url === '/packed.yml') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else if (request.url === '/large.yml') response.end('x'.repeat(101));
    else if (request.url === '/slow.yml') response.write('x');
    else if (request.url === '/full.yml') response.end('x'.repeat(100));
  });
  const fetchFile = remoteFiles({ ...onLoopback, maxBytes: 100, timeoutMs: 400 });
  expect(await fetchFile(`${url}/missing.yml`)).toEqual({ refused: 'no file' });
  expect(await fetchFile(`${url}/broken.yml`)).toEqual(notFetched('it answered with status 500'));
  expect(await fetchFile(`${url}/packed.yml`)).toEqual(notFetched('it came compressed'));
  expect(await fetchFile(`${url}/large.yml`)).toEqual(notFetched('it is larger than 100 bytes'));
  expect(await fetchFile(`${url}/slow.yml`)).toEqual(notFetched('it did not come within 0.4 s'));
  expect(await fetchFile(`${url}/full.yml`)).toMatchObject({ files: [{ text: 'x'.repeat(100) }] });
  expect(await fetchFile('http://127.0.0.1:1/a.yml')).toEqual(notFetched('it did not answer'));
});

test('switched off, nothing is fetched', async () => {
  expect(await NO_REMOTE_FILES('http://example.com/a.yml')).toMatchObject({ refused: 'not fetched' });
});
