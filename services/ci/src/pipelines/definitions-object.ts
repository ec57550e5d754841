import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { type Definitions, readDefinitions } from '../configuration/definitions.ts';
import { definitionsKey } from '../objects/object-keys.ts';

interface Owner {
  projectId: number;
  pipelineId: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Stores definitions before the event that names them. Returns their SHA-256. */
export async function storeDefinitions(
  objects: ObjectStore,
  owner: Owner,
  definitions: Uint8Array,
): Promise<string> {
  const { sha256 } = await objects.put((digest) => definitionsKey(owner, digest), definitions, {
    maxBytes: MAX_BYTES,
  });
  return sha256;
}

/** @throws Error where the store was restored without the log's newest objects */
export async function loadDefinitions(
  objects: ObjectStore,
  owner: Owner,
  sha256: string,
): Promise<Definitions> {
  const found = await objects.get(definitionsKey(owner, sha256));
  if (!found)
    throw new Error(`the object ${definitionsKey(owner, sha256)} is missing: restore the objects of the log`);
  return readDefinitions(await collect(found.body, MAX_BYTES));
}
