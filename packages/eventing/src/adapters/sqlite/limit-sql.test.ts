import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMIT } from './limit-sql.ts';

test('no statement is planned anew for its bound', () => {
  const files = readdirSync(import.meta.dirname).filter((name) =>
    /^(?!limit-sql).*(?<!\.test)\.ts$/.test(name),
  );
  const bare = files.filter((name) =>
    /LIMIT \(?\?/.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );
  expect([files.length > 10, bare, LIMIT.startsWith('LIMIT ?')]).toEqual([true, [], true]);
});
