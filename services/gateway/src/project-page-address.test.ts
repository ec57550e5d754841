import { expect, test } from 'vitest';
import { askedAtProjectPage } from './project-page-address.ts';

test('addresses of sources, files and releases are addresses of the API', () => {
  const ours = '/projects/team%2Fengine';
  for (const [address, path, params] of [
    ['archive/v1.0/engine-v1.0.tar.gz', 'repository/archive.tar.gz', { sha: 'v1.0' }],
    ['archive/a/b/engine-a-b.zip', 'repository/archive.zip', { sha: 'a/b' }],
    ['archive/v%231/x.tar.bz2', 'repository/archive.tar.bz2', { sha: 'v#1' }],
    ['raw/main/docs/-/a%20b.md', 'repository/raw/main/docs/-/a%20b.md'],
    ['releases.json', 'releases.json'],
    ['releases/v1.0', 'releases/v1.0'],
    ['releases/v1.json', 'releases/v1.json'],
    ['releases/a%2Fb/downloads/bin/x', 'releases/a%2Fb/downloads/bin/x'],
    ['releases/v1/evidences/12.json', 'releases/v1/evidences/12'],
  ] as const)
    expect(askedAtProjectPage(`/team/engine/-/${address}`), address).toEqual({
      path: `${ours}/${path}`,
      ...(params && { params }),
    });
  expect(askedAtProjectPage('/a/b/c/-/releases.json')).toEqual({ path: '/projects/a%2Fb%2Fc/releases.json' });
});

test('badges are asked for with and without the dash', () => {
  const path = '/projects/team%2Fengine/badges/pipeline.svg';
  for (const [address, ref] of [
    ['/team/engine/badges/main/pipeline.svg', 'main'],
    ['/team/engine/-/badges/feature/a%20b/pipeline.svg', 'feature/a b'],
  ] as const)
    expect(askedAtProjectPage(address)).toEqual({ path, params: { ref } });
  expect(askedAtProjectPage('/a/b/c/badges/x/coverage.svg')).toEqual({
    path: '/projects/a%2Fb%2Fc/badges/coverage.svg',
    params: { ref: 'x' },
  });
});

test('other addresses are none of the API', () => {
  for (const address of [
    '/team/-/releases.json',
    '/-/releases.json',
    '/team/engine/releases.json',
    '/team/engine/-/releases',
    '/team/engine/-/releases/',
    '/team/engine/-/releases/v1/edit',
    '/team/engine/-/releases/v1/evidences/12',
    '/team/engine/-/releases/v1/evidences/x.json',
    '/team/engine/-/archive/v1.0/engine.rar',
    '/team/engine/-/archive/engine.zip',
    '/team/engine/-/archive/%ff/engine.zip',
    '/team/engine/-/raw/',
    '/team/engine/-/jobs/1',
    '/team/engine/badges/pipeline.svg',
    '/team/engine/badges/%ff/pipeline.svg',
    '/team/engine/badges/main/other.svg',
    '/badges/main/pipeline.svg',
    '/team/engine.git/info/refs',
  ])
    expect(askedAtProjectPage(address), address).toBeUndefined();
});
