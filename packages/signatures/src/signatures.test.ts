import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCmsSignature } from './cms-signature.ts';
import { readPgpKey } from './pgp-key.ts';
import { isPgpSigned, pgpSigners } from './pgp-signature.ts';
import { readSshKey } from './ssh-key.ts';
import { readSshSignature } from './ssh-signature.ts';
import { sshString } from './ssh-wire.ts';

/* Keys and signatures come from OpenSSH and GnuPG themselves, where the machine has them. */

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

const payload = Buffer.from('tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nSigned\n');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelog-signatures-'));
});
afterAll(() => {
  try {
    execFileSync('gpgconf', ['--homedir', folder, '--kill', 'all'], { stdio: 'ignore' });
  } catch {
    // There was no agent.
  }
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!isThere('ssh-keygen'))('OpenSSH', () => {
  const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { stdio: 'pipe' }).toString();

  function made(name: string, ...options: string[]) {
    const file = join(folder, name);
    keygen('-q', '-N', '', '-C', 'ada@laptop', '-f', file, ...options);
    return { file, line: readFileSync(`${file}.pub`, 'utf8') };
  }

  function signed(file: string, namespace = 'git', ...options: string[]): string {
    const data = join(folder, 'payload');
    writeFileSync(data, payload);
    rmSync(`${data}.sig`, { force: true });
    keygen('-Y', 'sign', '-n', namespace, '-f', file, ...options, data);
    return readFileSync(`${data}.sig`, 'utf8');
  }

  test.each([
    ['ed25519', []],
    ['rsa', ['-b', '2048']],
    ['ecdsa', ['-b', '256']],
    ['ecdsa', ['-b', '384']],
    ['ecdsa', ['-b', '521']],
  ])('a signature by %s %s is verified, and by no other payload', async (type, options) => {
    const { file, line } = made(`${type}${options.join('')}`, '-t', type, ...options);
    const key = readSshKey(line)!;
    expect(key.comment).toBe('ada@laptop');
    expect(`${key.text} ada@laptop\n`).toBe(line);
    expect(keygen('-l', '-f', `${file}.pub`)).toContain(` SHA256:${key.fingerprint} `);
    expect(keygen('-l', '-E', 'md5', '-f', `${file}.pub`)).toContain(` MD5:${key.md5} `);
    // An integer of a signature may be short: several make that likely.
    for (let time = 0; time < 5; time++) {
      const signature = readSshSignature(signed(file))!;
      expect(signature.fingerprint).toBe(key.fingerprint);
      expect(await signature.signs(payload)).toBe(true);
      expect(await signature.signs(Buffer.concat([payload, Buffer.from('x')]))).toBe(false);
    }
    expect(await readSshSignature(signed(file, 'git', '-O', 'hashalg=sha256'))!.signs(payload)).toBe(true);
  });

  test('a signature for something else than git proves nothing', async () => {
    const { file } = made('other', '-t', 'ed25519');
    expect(await readSshSignature(signed(file, 'file'))!.signs(payload)).toBe(false);
  });

  test('a key on hardware signs what it saw besides the payload', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const x = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
    const type = 'sk-ssh-ed25519@openssh.com';
    const blob = Buffer.concat([type, x, 'ssh:'].map(sshString));
    const hashed = createHash('sha512').update(payload).digest();
    const toSign = Buffer.concat([Buffer.from('SSHSIG'), ...['git', '', 'sha512', hashed].map(sshString)]);
    const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
    const seen = Buffer.from([1, 0, 0, 0, 7]);
    const own = sign(null, Buffer.concat([sha256('ssh:'), seen, sha256(toSign)]), privateKey);
    const whole = Buffer.concat([
      Buffer.from('SSHSIG\0\0\0\x01'),
      ...[blob, 'git', '', 'sha512'].map(sshString),
      sshString(Buffer.concat([sshString(type), sshString(own), seen])),
    ]);
    const armored = `-----BEGIN SSH SIGNATURE-----\n${whole.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
    expect(await readSshSignature(armored)!.signs(payload)).toBe(true);
    expect(readSshKey(`${type} ${blob.toString('base64')}`)?.type).toBe(type);
  });

  test('broken keys and signatures are refused and nothing fails', async () => {
    const { file, line } = made('broken', '-t', 'ed25519');
    const [type, packed] = line.split(' ');
    const dsa = `ssh-dss ${Buffer.concat(['ssh-dss', 'p', 'q', 'g', 'y'].map(sshString)).toString('base64')}`;
    const rsa = Buffer.concat([
      sshString('ssh-rsa'),
      sshString(Buffer.from([3])),
      sshString(Buffer.alloc(9000, 255)),
    ]);
    for (const text of [
      '',
      type!,
      `${type} ${packed!.slice(0, 40)}`,
      `ssh-rsa ${packed}`,
      `${line}${line}`,
      dsa,
      `ssh-rsa ${rsa.toString('base64')}`,
      readFileSync(file, 'utf8'),
    ])
      expect(readSshKey(text)).toBeUndefined();
    const armored = signed(file);
    for (const text of ['', 'x', armored.slice(0, 100), armored.replace(/\n.{20}/, '\nAAAA')])
      expect(readSshSignature(text)).toBeUndefined();
    const bytes = Buffer.from(armored.replace(/-----.*-----/g, ''), 'base64');
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const text = `-----BEGIN SSH SIGNATURE-----\n${changed.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
      expect((await readSshSignature(text)?.signs(payload)) ?? false).toBe(false);
    }
  });
});

describe.skipIf(!isThere('gpg'))('GnuPG', () => {
  const gpg = (args: string[], input?: Buffer) =>
    execFileSync(
      'gpg',
      ['--homedir', folder, '--batch', '--yes', '--pinentry-mode', 'loopback', '--passphrase', '', ...args],
      {
        input,
        stdio: 'pipe',
      },
    ).toString();

  function made(name: string, algorithm: string) {
    const email = `${name.toLowerCase()}@example.org`;
    gpg(['--quick-generate-key', `${name} <${email}>`, algorithm, 'sign', 'never']);
    return { email, key: () => gpg(['--armor', '--export', email]) };
  }
  const signed = (email: string) => gpg(['--armor', '--detach-sign', '-u', email], payload);

  test.each([
    ['Ada', 'ed25519'],
    ['Bob', 'rsa2048'],
    ['Cleo', 'nistp256'],
  ])('a signature of %s by %s is verified, and by no other payload', async (name, algorithm) => {
    const { email, key } = made(name, algorithm);
    const armored = key();
    const read = (await readPgpKey(armored))!;
    expect(read.identities).toEqual([{ name, email }]);
    expect(gpg(['--list-keys', '--with-colons', email])).toContain(read.fingerprint.toUpperCase());
    const signature = signed(email);
    expect(await pgpSigners(signature)).toEqual([read.keyIds[0]]);
    expect(await isPgpSigned(payload, signature, armored)).toBe(true);
    expect(await isPgpSigned(Buffer.from('else'), signature, armored)).toBe(false);
  });

  test('a subkey signs for its primary key', async () => {
    const { email, key } = made('Dora', 'ed25519');
    const fingerprint = (await readPgpKey(key()))!.fingerprint;
    gpg(['--quick-add-key', fingerprint, 'ed25519', 'sign', 'never']);
    const armored = key();
    const read = (await readPgpKey(armored))!;
    expect(read.keyIds).toHaveLength(2);
    const signature = signed(email);
    expect(await pgpSigners(signature)).toEqual([read.keyIds[1]]);
    expect(await isPgpSigned(payload, signature, armored)).toBe(true);
  });

  test('a revoked key, a foreign one and several signatures at once prove nothing', async () => {
    const [eve, fay] = [made('Eve', 'ed25519'), made('Fay', 'ed25519')];
    const signature = signed(eve.email);
    expect(await isPgpSigned(payload, signature, fay.key())).toBe(false);
    const both = gpg(['--armor', '--detach-sign', '-u', eve.email, '-u', fay.email], payload);
    expect(await pgpSigners(both)).toHaveLength(2);
    expect(await isPgpSigned(payload, both, eve.key())).toBe(false);
    const { fingerprint } = (await readPgpKey(eve.key()))!;
    const revocation = readFileSync(
      join(folder, 'openpgp-revocs.d', `${fingerprint.toUpperCase()}.rev`),
      'utf8',
    ).replace(':-----BEGIN', '-----BEGIN');
    gpg(['--import'], Buffer.from(revocation));
    expect(await isPgpSigned(payload, signature, eve.key())).toBe(false);
  });

  test('what is no public key is refused', async () => {
    const { email, key } = made('Gus', 'ed25519');
    const secret = gpg(['--armor', '--export-secret-keys', email]);
    const armored = key();
    for (const text of ['', 'x', secret, armored.slice(0, 200), armored.replace('PUBLIC', 'PRIVATE')])
      expect(await readPgpKey(text)).toBeUndefined();
    expect(await pgpSigners('nothing')).toEqual([]);
    expect(await isPgpSigned(payload, 'nothing', armored)).toBe(false);
  });
});

describe.skipIf(!isThere('openssl'))('OpenSSL', () => {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const armored = (file: string) =>
    readFileSync(join(folder, file), 'utf8').replaceAll(' CMS-----', ' SIGNED MESSAGE-----');
  const pem = (file: string) => readFileSync(join(folder, file), 'utf8');

  beforeAll(() => {
    const newKey = ['-newkey', 'rsa:2048', '-nodes'];
    for (const name of ['ca', 'other'])
      openssl(
        ...['req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`],
        '-subj',
        '/O=World/CN=PKI',
      );
    openssl(...['req', ...newKey, '-keyout', 'ada.key', '-out', 'ada.csr', '-subj', '/O=World/CN=Ada']);
    const extensions = [
      'subjectAltName=email:ada@example.org',
      ...['subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid', 'keyUsage=digitalSignature'],
      'crlDistributionPoints=URI:http://example.org/pki.crl',
    ];
    writeFileSync(join(folder, 'extensions'), extensions.join('\n'));
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '0x123456789abcdef0123456789'];
    openssl('x509', '-req', '-in', 'ada.csr', ...by, '-out', 'ada.pem', '-extfile', 'extensions');
    writeFileSync(join(folder, 'signed'), payload);
    const own = ['-signer', 'ada.pem', '-inkey', 'ada.key', '-certfile', 'ca.pem'];
    openssl('cms', '-sign', '-binary', '-in', 'signed', ...own, '-outform', 'PEM', '-out', 'signature');
  });

  test('a signature by a certificate is verified where its authority is trusted', async () => {
    const signature = readCmsSignature(armored('signature'))!;
    expect(signature.certificate).toEqual({
      subject: 'O=World,CN=Ada',
      subjectKeyId: expect.stringMatching(/^([0-9A-F]{2}:){19}[0-9A-F]{2}$/),
      emails: ['ada@example.org'],
      serialNumber: 0x123456789abcdef0123456789n,
      issuer: {
        subject: 'O=World,CN=PKI',
        subjectKeyId: expect.stringMatching(/^([0-9A-F]{2}:){19}[0-9A-F]{2}$/),
        crlUrl: 'http://example.org/pki.crl',
      },
    });
    expect(await signature.signs(payload, [pem('ca.pem')])).toBe(true);
    expect(await signature.signs(Buffer.from('else'), [pem('ca.pem')])).toBe(false);
    expect(await signature.signs(payload, [])).toBe(false);
    expect(await signature.signs(payload, [pem('other.pem')])).toBe(false);
  });

  test('what is no such signature is refused', () => {
    for (const text of [
      '',
      'x',
      armored('signature').slice(0, 400),
      armored('signature').replace(/MII/, 'AAA'),
    ])
      expect(readCmsSignature(text)).toBeUndefined();
  });
});
