import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileText } from './testing/sample.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/ci.md'), 'utf8');

/** Puts a keyword without a value where the row of the table says that it belongs. */
const PLACES: Readonly<Record<string, (keyword: string) => string>> = {
  root: (keyword) => `${keyword}: \nj: {script: x}`,
  '`default`': (keyword) => `default: {${keyword}: }\nj: {script: x}`,
  'a job': (keyword) => `j: {script: x, ${keyword}: }`.replace('script: x, script: ', 'script: x'),
  'a bridge': (keyword) =>
    `j: {trigger: a/b, ${keyword}: }`.replace('trigger: a/b, trigger: ', 'trigger: a/b'),
  '`artifacts`': (keyword) => `j: {script: x, artifacts: {${keyword}: }}`,
  '`cache`': (keyword) => `j: {script: x, cache: {${keyword}: }}`,
  '`environment`': (keyword) =>
    `j: {script: x, environment: {name: x, ${keyword}: }}`.replace('name: x, name: ', 'name: x'),
  '`only`, `except`': (keyword) => `j: {script: x, only: {${keyword}: }}`,
  '`retry`': (keyword) => `j: {script: x, retry: {${keyword}: }}`,
  '`rules`': (keyword) => `j: {script: x, rules: [{${keyword}: }]}`,
};

const rows = [...page.split('\n## ')[1]!.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].flatMap(
  ([, where, keywords]) => {
    const place = PLACES[where!];
    const first = keywords!.split(';')[0]!.replaceAll(/\([^)]*\)/g, '');
    const names = [...first.matchAll(/`(\w+)(?::\w+)?`/g)].map(([, name]) => name!);
    return place ? names.map((name) => ({ where, name, text: place(name) })) : [];
  },
);

test('the table is found', () => {
  expect(rows.length).toBeGreaterThan(70);
});

test.each(rows)('docs/ci.md is right that $where knows $name', async ({ text }) => {
  const { errors } = await compileText(text);
  expect(errors.filter(({ message }) => /unknown keys|extends/.test(message))).toEqual([]);
});
