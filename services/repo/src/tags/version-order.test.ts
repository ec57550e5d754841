import { compare } from 'semver';
import { describe, expect, test } from 'vitest';
import { tagsByVersion, versionKey } from './version-order.ts';

const ordered = (names: string[]) =>
  tagsByVersion(names.toSorted().map((name) => ({ name }))).map(({ name }) => name);

describe('tags by version', () => {
  test('are in the order of semver.org, then of their names, with other names first', () => {
    const right = [
      ...['', '1.0.0-', '1.2.3.4', 'latest', 'release-9.9.9', 'v'],
      ...['0.9.0', '1.0.0-alpha', 'v1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
      ...['1.0.0-beta.11', 'v1.0.0-rc.1', '1.0.0', '1.0.0+a', '1.0.0+b', '1.0.1', 'v1.2', '1.10.0', 'v2'],
      ...['v2021.08.01', '2021.10.1', '999999999999999.0.0'],
    ];
    expect(ordered(right)).toEqual(right);
  });

  test('agree with the semver package', () => {
    const labels = [
      '',
      '-0',
      '-1',
      '-10',
      '-2',
      '-9007199254740993',
      '-a',
      '-a.1',
      '-a.1.b',
      '-a-b',
      '-A',
      '-1a',
    ];
    const versions = ['0.0.1', '1.0.0', '1.0.10', '1.9.0', '1.10.0', '10.0.0'].flatMap((core) =>
      labels.map((label) => core + label),
    );
    for (const a of versions)
      for (const b of versions) {
        const [one, other] = [versionKey(a), versionKey(b)];
        expect([a, b, one < other ? -1 : Number(one > other)]).toEqual([a, b, compare(a, b)]);
      }
  });

  test('are ordered in linear time even with hostile names', () => {
    const hostile = [
      `${'1.'.repeat(500)}x`,
      `1.0.0-${'a.'.repeat(500)}`,
      `1.0.0-${'0'.repeat(1000)}x.`,
      `1.0.0+${'-'.repeat(1000)}!`,
      '9'.repeat(1000),
      `v${'1'.repeat(16)}.0.0`,
      `1${'\u00a0'.repeat(1000)}`,
    ];
    const many = Array.from({ length: 20_000 }, (_, at) => hostile[at % hostile.length]!);
    expect(ordered([...many, 'v1.0.0']).at(-1)).toBe('v1.0.0');
  });
});
