import { describe, expect, test } from 'vitest';
import { parseVersion, previousTag } from './semantic-version.ts';

describe('semantic versions', () => {
  test.each(['0.0.0', '1.2.3', '10.20.30', '1.0.0-rc1', '1.0.0-alpha.1.x-y', '1.0.0+build.001', '1.0.0-a+b'])(
    '%s is one',
    (text) => expect(parseVersion(text)).not.toBeNull(),
  );

  test.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3+',
    '1.2.3+a_b',
    '1.2.x',
    ' 1.2.3',
    '1.2.3\n',
    '-1.2.3',
    '1.2.3 ',
    '\t1.2.3',
    '99999999999999999999.0.0',
    'latest',
  ])('%j is none', (text) => expect(parseVersion(text)).toBeNull());

  test('the last stable tag below a version', () => {
    const tags = [
      'v1.0.0',
      '1.1.0',
      'v1.2.0-rc1',
      'v1.2.0',
      'v1.10.0',
      'release-1.9.0',
      'vv1.8.0',
      'v1.7.0+x',
      'v2',
    ];
    const before = (version: string) => previousTag(tags, parseVersion(version)!);
    expect(before('1.0.0')).toBeUndefined();
    expect(before('1.0.1')).toBe('v1.0.0');
    expect(before('1.2.0')).toBe('1.1.0');
    expect(before('1.2.0-rc2')).toBe('1.1.0');
    expect(before('1.9.0')).toBe('v1.2.0');
    expect(before('2.0.0')).toBe('v1.10.0');
    expect(previousTag([], parseVersion('1.0.0')!)).toBeUndefined();
  });
});
