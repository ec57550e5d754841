import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** By name in lower case, unfolded; encoded words are decoded. */
  headers: Record<string, string>;
  raw: string;
  text: string;
  html: string;
}

/** What the server answers to a command: `550 …`, `hang` for nothing ever, or null for what is usual. */
export type MailAnswer = (command: string, address: string) => string | null;

export interface MailServer {
  /** For `SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  /** User name and password of each sign-in. */
  signIns: string[];
  connections: number;
  answer: MailAnswer;
  /** Ends connections and takes no more until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** A mail server on this machine that speaks SMTP [RFC 5321]. It relays nothing, and is ended by `down`. */
export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    mailServer.connections += 1;
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, mailServer);
  });
  let port = 0;
  const up = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const mailServer: MailServer = {
    ...{ url: '', mails: [], signIns: [], connections: 0, answer: () => null },
    ...{ up, down },
  };
  await up();
  mailServer.url = `smtp://127.0.0.1:${port}`;
  return mailServer;
}

function serve(socket: Socket, server: MailServer): void {
  let envelope: Pick<ReceivedMail, 'from' | 'to'> = { from: '', to: [] };
  let isData = false;
  let unread = '';
  const say = (command: string, address: string, usual: string) => {
    const answer = server.answer(command, address) ?? usual;
    if (answer !== 'hang') socket.write(`${answer}\r\n`);
    return answer.startsWith('2') || answer.startsWith('3');
  };
  say('CONNECT', '', '220 mail.test ESMTP');
  socket.on('data', (chunk) => {
    unread += chunk.toString('latin1');
    for (;;) {
      const end = unread.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const line = unread.slice(0, end);
      unread = unread.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        const mail = received(envelope, line.replace(/^\.\./gm, '.'));
        if (say('MESSAGE', envelope.to[0] ?? '', '250 taken')) server.mails.push(mail);
      } else command(line);
    }
  });

  function command(line: string): void {
    const word = line.split(/[ :]/, 1)[0]!.toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (word === 'EHLO') say(word, '', '250-mail.test\r\n250 AUTH PLAIN');
    else if (word === 'AUTH') {
      const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0');
      server.signIns.push(`${user}:${password}`);
      say(word, '', '235 welcome');
    } else if (word === 'MAIL') {
      envelope = { from: address, to: [] };
      say(word, address, '250 OK');
    } else if (word === 'RCPT') {
      if (say(word, address, '250 OK')) envelope.to.push(address);
    } else if (word === 'DATA') isData = say(word, '', '354 go on');
    else if (word === 'QUIT') socket.end('221 bye\r\n');
    else say(word, '', '250 OK');
  }
}

function received(envelope: Pick<ReceivedMail, 'from' | 'to'>, raw: string): ReceivedMail {
  const whole = part(raw);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [] : whole.body.split(`--${boundary}`).slice(1, -1).map(part);
  const of = (type: string) => parts.find(({ headers }) => headers['content-type']?.startsWith(type));
  return {
    ...{ ...envelope, headers: whole.headers, raw },
    ...{ text: decoded(of('text/plain')), html: decoded(of('text/html')) },
  };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

function part(text: string): Part {
  const [head = '', ...body] = text.replace(/^\r\n/, '').split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.split(':', 1)[0]!.toLowerCase(),
      words(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  );
  return { headers, body: body.join('\r\n\r\n') };
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** Encoded words of a header [RFC 2047]. */
const words = (text: string) =>
  text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : quoted(word.replaceAll('_', ' ')),
    );

function decoded(found: Part | undefined): string {
  if (!found) return '';
  const { headers, body } = found;
  const kind = headers['content-transfer-encoding']?.toLowerCase();
  if (kind === 'base64') return Buffer.from(body, 'base64').toString();
  if (kind === 'quoted-printable') return quoted(body.replace(/=\r\n/g, ''));
  return Buffer.from(body, 'latin1').toString();
}
