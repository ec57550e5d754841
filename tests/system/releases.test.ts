import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROGRAM_ENVIRONMENT, startServerProcess } from '../support/server-process.ts';
import { emptyFolder } from '../support/stock-git.ts';

const root = join(import.meta.dirname, '../..');
const ROOT_TOKEN = 'token-of-the-test-of-releases';
const versionIn = async (manifest: string) =>
  (JSON.parse(await readFile(join(root, manifest), 'utf8')) as { version?: string }).version;

test('all parts have one version, which the changelog begins with', async () => {
  const version = await versionIn('package.json');
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  const parts = globSync('{packages,services}/*/package.json', { cwd: root });
  expect(parts.length).toBeGreaterThan(10);
  for (const part of [...parts, 'infra/package.json']) expect(await versionIn(part), part).toBe(version);
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const sections = changelog.split(/^## /m).slice(1);
  expect(sections[0]).toMatch(new RegExp(`^${version} \\((unreleased|\\d{4}-\\d{2}-\\d{2})\\)\\n`));
  for (const section of sections)
    expect(section, section.slice(0, 20)).toMatch(/^### Events and the way back\n\n\S/m);
  const overlays = globSync('infra/k8s/overlays/{production,two-storages}/kustomization.yaml', { cwd: root });
  expect(overlays).toHaveLength(2);
  for (const overlay of overlays)
    expect(await readFile(join(root, overlay), 'utf8'), overlay).toContain(`newTag: ${version}\n`);
});

test('--version of each program says what GET /version says, and starts nothing', async () => {
  const DATA_DIR = await emptyFolder();
  const server = startServerProcess({ DATA_DIR, ROOT_TOKEN, REVISION: 'a1b2c3d' });
  const response = await fetch(`${await server.ready}/api/v4/version`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  const { version, revision } = (await response.json()) as { version: string; revision: string };
  for (const program of ['infra', 'services/gateway', 'services/repo']) {
    const args = [join(root, program, 'src/main.ts'), '--version'];
    const env = { ...PROGRAM_ENVIRONMENT, REVISION: 'a1b2c3d' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toBe(
      `Forgelog ${await versionIn('package.json')}, revision ${revision}, API ${version}\n`,
    );
  }
  expect(await server.stop()).toBe(0);
});
