/**
 * The supervisor: a small process that owns every git child of one serving process. Forking copies page tables, so
 * spawning from a process with a gigabyte of memory blocks its event loop for tens of milliseconds. Its stdin closes
 * however the serving process ends; the supervisor then ends with all children. Usage: `node supervisor-main.ts
 * <socket>`.
 */
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { createSupervisedCommands } from './supervised-commands.ts';
import { type DataMessage, lineSplitter, type StartMessage } from './supervisor-protocol.ts';

const socketPath = process.argv[2]!;
const folder = dirname(socketPath);
// Without its hooks the supervisor is useless: the next command starts another.
const commands = createSupervisedCommands(folder, () => leave());

function accept(socket: Socket) {
  socket.on('error', () => socket.destroy());
  // A data connection sends nothing after its first line until the command has started, so this reads none of git's
  // bytes.
  const first = lineSplitter((line) => {
    socket.off('data', first);
    const message = JSON.parse(line) as StartMessage | DataMessage;
    if (message.kind === 'start') commands.control(message, socket);
    else {
      socket.pause();
      commands.data(message, socket);
    }
  });
  socket.on('data', first);
}

let leaving = false;
function leave() {
  if (leaving) return;
  leaving = true;
  server.close();
  rmSync(folder, { recursive: true, force: true });
  commands.killAll().then(() => process.exit(0));
}

const server = createServer(accept);
server.listen(socketPath, () => process.stdout.write('ready\n'));
process.stdin.resume();
for (const event of ['end', 'close', 'error']) process.stdin.on(event, leave);
process.stdout.on('error', () => {});
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
process.on('SIGTERM', leave);
