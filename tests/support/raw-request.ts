import { once } from 'node:events';
import { connect } from 'node:net';

/** A request on a connection of its own that is sent in parts; gives all that came back once the server closes it. */
export async function rawRequest(address: string, head: readonly string[]) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => {});
  socket.write(`${[...head, `Host: ${hostname}`].join('\r\n')}\r\n\r\n`);
  const closed = once(socket, 'close').then(() => received);
  return { send: (text: string) => void socket.write(text), closed };
}
