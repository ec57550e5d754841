import { describe, expect, test } from 'vitest';
import { ChangelogEntries, changelogSection, insertSection } from './changelog-section.ts';
import { parseVersion } from './semantic-version.ts';

const commit = (title: string, category?: string, more: { id?: string; message?: string } = {}) => ({
  id: more.id ?? title.padEnd(40, '0'),
  title,
  message: more.message ?? title,
  trailers: category === undefined ? [] : [{ key: 'Changelog', value: category }],
});
const entriesOf = (commits: ReturnType<typeof commit>[], trailer = 'Changelog') => {
  const entries = new ChangelogEntries(trailer);
  entries.add(commits);
  return entries.all;
};

describe('entries', () => {
  test('are the commits that carry the trailer, by its exact name', () => {
    expect(entriesOf([commit('a', 'added'), commit('b'), commit('c', '')]).map(({ title }) => title)).toEqual(
      ['a'],
    );
    expect(entriesOf([commit('a', 'added')], 'changelog')).toEqual([]);
  });

  test('leave out a commit that is reverted within the range, and its revert', () => {
    const id = 'd'.repeat(40);
    const revert = commit('Revert "x"', 'fixed', { message: `Revert "x"\n\nThis reverts commit ${id}.` });
    expect(
      entriesOf([revert, commit('x', 'added', { id }), commit('y', 'added')]).map(({ title }) => title),
    ).toEqual(['y']);
    // A revert that is itself reverted has no effect.
    const revertId = 'e'.repeat(40);
    const again = commit('Again', 'added', { message: `Again\n\nThis reverts commit ${revertId}.` });
    expect(
      entriesOf([again, { ...revert, id: revertId }, commit('x', 'added', { id })]).map((e) => e.title),
    ).toEqual(['x']);
  });
});

describe('a section', () => {
  test('has a heading for each category', () => {
    const entries = entriesOf([commit('One', 'added'), commit('Two', 'fixed'), commit('Three [x]', 'added')]);
    expect(changelogSection('1.2.0', '2021-09-20', entries, 'group/project')).toBe(
      [
        '## 1.2.0 (2021-09-20)',
        '',
        '### added (2 changes)',
        '',
        `- [One](group/project@${'One'.padEnd(40, '0')})`,
        `- [Three \\[x\\]](group/project@${'Three [x]'.padEnd(40, '0')})`,
        '',
        '### fixed (1 change)',
        '',
        `- [Two](group/project@${'Two'.padEnd(40, '0')})`,
        '',
        '',
      ].join('\n'),
    );
    expect(changelogSection('1.0.0', '2021-09-20', [], 'p')).toBe('## 1.0.0 (2021-09-20)\n\nNo changes.\n\n');
  });

  test.each([
    ['', 'NEW\n\n'],
    ['# Changelog\n', '# Changelog\n\nNEW\n\n'],
    ['# Changelog', '# Changelog\n\nNEW\n\n'],
    ['# C\n\n## 1.0.0 (x)\n\n- a\n', '# C\n\nNEW\n\n## 1.0.0 (x)\n\n- a\n'],
    ['## 3.0.0\n\n- c\n\n## 1.0.0\n\n- a\n', '## 3.0.0\n\n- c\n\nNEW\n\n## 1.0.0\n\n- a\n'],
    ['## 3.0.0\n\n- c\n', '## 3.0.0\n\n- c\n\nNEW\n\n'],
    ['## v1.0.0\r\n\r\n- a\r\n', 'NEW\n\n## v1.0.0\r\n\r\n- a\r\n'],
    ['## [1.0.0] - 2020\n', 'NEW\n\n## [1.0.0] - 2020\n'],
    ['## About\n\n## 2.0.0-rc1\n', '## About\n\nNEW\n\n## 2.0.0-rc1\n'],
  ])('goes into %j before what is lower', (before, after) => {
    expect(insertSection(before, parseVersion('2.0.0')!, 'NEW\n\n')).toBe(after);
  });
});
