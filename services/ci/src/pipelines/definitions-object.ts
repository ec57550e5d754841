import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import {
  type ObjectKey,
  type ObjectStore,
  ObjectStoreUnavailableError,
} from '@forgelog/object-store/object-store.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { LRUCache } from 'lru-cache';
import { type Definitions, readDefinitions } from '../configuration/definitions.ts';
import { definitionsKey } from '../objects/object-keys.ts';
import type { PipelineRow } from './pipelines.projection.ts';

interface Owner {
  projectId: number;
  pipelineId: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Characters of parsed definitions, which take about as many bytes of memory: of all, and of one that is kept. */
const KEPT = 64 * 1024 * 1024;
const LARGEST_KEPT = 8 * 1024 * 1024;

interface Place {
  objects: ObjectStore;
  key: ObjectKey;
}

/** By digest, so that nothing in it grows old. Each job that a runner picks asks, often many of a pipeline at once. */
const parsed = new LRUCache<string, Definitions, Place>({
  maxSize: KEPT,
  maxEntrySize: LARGEST_KEPT,
  async fetchMethod(_sha256, _stale, { context: { objects, key }, options }) {
    const found = await objects.get(key);
    if (!found) throw new Error(`the object ${key} is missing: restore the objects of the log`);
    const bytes = await collect(found.body, MAX_BYTES);
    const definitions = await readDefinitions(bytes);
    // Gzip ends with the size of what it holds.
    options.size = bytes.readUInt32LE(bytes.length - 4);
    return definitions;
  },
});

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
  return (await parsed.fetch(sha256, { context: { objects, key: definitionsKey(owner, sha256) } }))!;
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
