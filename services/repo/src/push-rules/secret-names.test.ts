import { expect, test } from 'vitest';
import { isNamedLikeSecret } from './secret-names.ts';

test.each([
  'id_rsa',
  'a/b/id_ed25519',
  '.ssh/personal_rsa',
  'config/server_ecdsa',
  '.aws/credentials',
  'aws/credentials',
  'cert.pem',
  'private.key',
  '.bash_history',
  'x/rails_history',
  'a.history',
])('%s is named like a secret', (path) => {
  expect(isNamedLikeSecret(path)).toBe(true);
});

test.each(['id_rsa.pub', 'pem', 'keyring', 'credentials', 'my_rsa', 'history.md', 'src/history'])(
  '%s is not',
  (path) => {
    expect(isNamedLikeSecret(path)).toBe(false);
  },
);
