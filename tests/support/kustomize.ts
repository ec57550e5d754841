import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** An object as it is sent to a cluster. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind.
  [field: string]: any;
}

/*
 * What our overlays use of kustomize and nothing else: a field that is not here is refused, so that nobody believes it
 * is tested. `npm run k8s:check` holds what this builds against what kustomize itself builds.
 */
const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
  patches: z
    .array(
      z.strictObject({ target: z.strictObject({ kind: z.string(), name: z.string() }), patch: z.string() }),
    )
    .default([]),
});
const operations = z.array(
  z.strictObject({ op: z.enum(['add', 'replace']), path: z.string(), value: z.unknown() }),
);

/** Everything in a file, read strictly. @throws Error on a repeated key or anything else that YAML leaves open */
export async function readYaml(path: string): Promise<unknown[]> {
  const documents = parseAllDocuments(await readFile(path, 'utf8'), { strict: true, uniqueKeys: true });
  return [...documents].map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new Error(`${path}: ${problem.message}`);
    return document.toJS();
  });
}

/** What `kustomize build` makes of a folder. */
export async function buildOverlay(folder: string): Promise<KubernetesObject[]> {
  const [document] = await readYaml(join(folder, 'kustomization.yaml'));
  const { namespace, resources, images, patches } = kustomization.parse(document);
  const objects: KubernetesObject[] = [];
  for (const resource of resources) {
    const path = join(folder, resource);
    const found = path.endsWith('.yaml') ? await readYaml(path) : await buildOverlay(path);
    objects.push(...(found as KubernetesObject[]));
  }
  for (const { target, patch } of patches) {
    const [parsed] = parseAllDocuments(patch).map((each) => each.toJS());
    const hit = objects.filter(({ kind, metadata }) => kind === target.kind && metadata.name === target.name);
    if (hit.length !== 1)
      throw new Error(`${folder}: ${target.kind} ${target.name} is there ${hit.length} times`);
    for (const operation of operations.parse(parsed)) apply(hit[0]!, operation);
  }
  for (const object of objects) {
    if (namespace !== undefined && object.kind !== 'Namespace') object.metadata.namespace = namespace;
    const { template } = object.spec?.jobTemplate?.spec ?? object.spec ?? {};
    for (const container of template?.spec?.containers ?? []) {
      const image = images.find(({ name }) => name === container.image);
      if (image) container.image = `${image.newName}:${image.newTag}`;
    }
  }
  return objects;
}

function apply(object: KubernetesObject, { op, path, value }: z.output<typeof operations>[number]): void {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop()!;
  let at = object as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (Array.isArray(at) || (op === 'replace' && !Object.hasOwn(at, last)))
    throw new Error(`${dirname(path)}: nothing to ${op} at ${path}`);
  at[last] = value;
}
