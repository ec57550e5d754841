import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject } from './kustomize.ts';

const modules = join(import.meta.dirname, '../../node_modules');

/**
 * What is wrong with objects after Kubernetes' own OpenAPI schema, as the package `kubernetes-models` carries it: once
 * by its validators (types, required fields, enumerations, bounds), once by the compiler against its types, which alone
 * know which keys there are.
 */
export async function problemsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  const problems: string[] = [];
  for (const object of objects) {
    const specifier = `kubernetes-models/${object.apiVersion}`;
    const models = (await import(/* @vite-ignore */ specifier)) as Record<string, ModelClass>;
    const Model = models[object.kind];
    if (!Model) problems.push(`${object.apiVersion} has no ${object.kind}`);
    else
      try {
        new Model(object).validate();
      } catch (error) {
        problems.push(`${nameOf(object)}: ${(error as Error).message}`);
      }
  }
  return problems.length > 0 ? problems : typeErrors(objects);
}

type ModelClass = new (object: object) => { validate(): void };

const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

/** Excess keys of object literals are errors, at any depth: each object becomes one. */
async function typeErrors(objects: readonly KubernetesObject[]): Promise<string[]> {
  // Below node_modules, so that imports of packages are found from there.
  const folder = join(
    modules,
    `.cache/kubernetes-schema-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  const file = join(folder, 'objects.mts');
  const lines = objects.map((object, index) => {
    const type = `import('kubernetes-models/${object.apiVersion}').I${object.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object)};`;
  });
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(file, `${lines.join('\n')}\n`);
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      '',
    ];
    const output = await run([join(modules, 'typescript/bin/tsc'), ...options, file]);
    return output
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = /objects\.mts\((\d+),/.exec(line);
        return at ? `${nameOf(objects[Number(at[1]) - 1]!)}: ${line.slice(line.indexOf('error'))}` : line;
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What it prints; nothing where all is well. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0 && output === '') output = `the compiler ended with ${code}`;
      resolve(output);
    });
  });
}
