import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const files = globSync('services/*/src/**/*.ts', { cwd: root })
  .filter((file) => !/\.(test|d)\.ts$/.test(file) && !file.includes('/testing/'))
  .sort()
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** The word of a file's role, between the noun and the extension; undefined for a file that is none of these. */
const roleOf = (file: string) => /\.([\w-]+)\.ts$/.exec(file)?.[1];

/** One word a role: whoever looks for the rights of groups opens `group.access.ts`. */
const ROLES = [
  'routes',
  'decider',
  'projection',
  'collection',
  'view',
  'access',
  'query',
  'rules',
  'commands',
  'policy',
  'operations',
  'placeholder',
  'slice',
  'worker',
  'target',
];

/** What a file holds, by the call that only such a file makes. */
const CONTENTS: readonly [call: RegExp, roles: readonly string[]][] = [
  [/\bimplement(WithGit)?\(\w/, ['routes']],
  [/\bimplementOperation\(/, ['operations']],
  [/\bimplementView\(/, ['view']],
  [/\bdefinePolicy(<[^(]*>)?\(/, ['policy']],
  [/\bdefineProjection(<[^(]*>)?\(/, ['projection']],
  [/\bdefineCollection(<[^(]*>)?\(/, ['collection', 'projection']],
  [/\bdefineSlice(<[^(]*>)?\(/, ['slice']],
  [/: Decider</, ['decider']],
  [/^export const \w+: TargetKind</m, ['target']],
];

test('the word of a role is one of a few', () => {
  expect(files.length).toBeGreaterThan(150);
  const named = files
    .map(({ file }) => ({ file, role: roleOf(file) }))
    .filter(({ role }) => role !== undefined);
  expect(
    named.filter(({ role }) => !ROLES.includes(role!)).map(({ file }) => file),
    `a word before .ts is one of these: ${ROLES.join(', ')}; what has no role is named with hyphens`,
  ).toEqual([]);
  expect(ROLES.filter((role) => !named.some((one) => one.role === role))).toEqual([]);
});

test.each(CONTENTS)('what calls %s has its role in its name', (call, roles) => {
  const holders = files.filter(({ file, text }) => !file.includes('/shared/') && call.test(text));
  expect(holders.length).toBeGreaterThan(0);
  expect(
    holders.map(({ file }) => file).filter((file) => !roles.includes(roleOf(file) ?? '')),
    `a file with this call is a .${roles.join('.ts or a .')}.ts`,
  ).toEqual([]);
});

/** `users` is the collection, `user.slice.ts` has `userSlice`. */
test('a slice is named after its file', () => {
  const slices = files.filter(({ file }) => roleOf(file) === 'slice');
  expect(slices.length).toBeGreaterThan(15);
  const wrong = slices.flatMap(({ file, text }) => {
    const name = basename(file, '.ts').replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase());
    return new RegExp(`^export (const|function) ${name}\\b`, 'm').test(text) ? [] : [`${file}: ${name}`];
  });
  expect(wrong, 'a slice is exported as its file is called').toEqual([]);
});
