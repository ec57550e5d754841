/**
 * `npm run k8s:check`: holds what our tests build of the overlays against what kustomize itself builds. Takes
 * `kustomize` or `kubectl` from the PATH, else kustomize from the Go module proxy (with `go`). By hand, when the
 * overlays use something new: it needs a program that npm does not have.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { buildOverlay, type KubernetesObject } from '../tests/support/kustomize.ts';

const builders: readonly (readonly string[])[] = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
  ['go', 'run', 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1', 'build'],
];

function kustomize(folder: string): KubernetesObject[] {
  for (const [command, ...args] of builders) {
    const { status, stdout, stderr, error } = spawnSync(command!, [...args, folder], { encoding: 'utf8' });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') continue;
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ${folder}: ${stderr}`);
    process.stdout.write(`${folder}: built with ${command} ${args.join(' ')}\n`);
    return parseAllDocuments(stdout).map((document) => document.toJS());
  }
  throw new Error('none of kustomize, kubectl and go is here');
}

const key = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;
let different = 0;
for (const overlay of ['overlays/dev', 'overlays/production', 'overlays/two-storages', 'monitoring']) {
  const folder = join(import.meta.dirname, '../infra/k8s', overlay);
  const ours = new Map((await buildOverlay(folder)).map((object) => [key(object), object]));
  const theirs = new Map(kustomize(folder).map((object) => [key(object), object]));
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    if (isDeepStrictEqual(ours.get(name), theirs.get(name))) continue;
    different += 1;
    process.stdout.write(
      `${overlay}: ${name} differs\n  ours: ${JSON.stringify(ours.get(name))}\n  theirs: ${JSON.stringify(theirs.get(name))}\n`,
    );
  }
  process.stdout.write(`${overlay}: ${theirs.size} objects\n`);
}
process.exit(different === 0 ? 0 : 1);
