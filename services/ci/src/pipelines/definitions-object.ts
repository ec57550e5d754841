import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type ObjectStore, ObjectStoreUnavailableError } from '@forgelog/object-store/object-store.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { type Definitions, readDefinitions } from '../configuration/definitions.ts';
import { definitionsKey } from '../objects/object-keys.ts';
import type { PipelineRow } from './pipelines.projection.ts';

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

/** For what a job can do without: null where there are none, and where they are lost. @throws ObjectStoreUnavailableError */
export async function definitionsOf(
  { objects, log }: Pick<ServicePorts, 'objects' | 'log'>,
  { id: pipelineId, projectId, definitions }: PipelineRow,
): Promise<Definitions | null> {
  if (definitions === null) return null;
  try {
    return await loadDefinitions(objects, { projectId, pipelineId }, definitions);
  } catch (error) {
    if (error instanceof ObjectStoreUnavailableError) throw error;
    log.error({ err: error, pipelineId }, 'the definitions of a pipeline cannot be read');
    return null;
  }
}
