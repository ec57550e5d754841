import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { decodeParams } from '@forgelog/contracts/params.ts';
import { createProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import { emptyRecord, parsePairs } from '@forgelog/service-kit/raw-parameters.ts';
import { collect, readBody } from '@forgelog/service-kit/request-body.ts';

export interface Placement {
  storage?: string | undefined;
  /** The whole body, kept for a retry on another instance. */
  body?: Buffer | undefined;
}

const { repository_storage } = createProject.params;

/**
 * Parses the body as the service does. Only administrators choose a storage [L469]. Malformed bodies pass: the service
 * refuses them in its own order.
 * @throws Rejection `too_large`
 */
export async function readPlacement(exchange: Exchange): Promise<Placement> {
  const { request, endpoint, search, principal } = exchange;
  const body = await collect(request.iterator({ destroyOnReturn: false }), endpoint.maxBody);
  if (!principal?.isAdmin) return { body };
  try {
    const raw = emptyRecord();
    parsePairs(search, raw);
    const again = Object.assign(Readable.from([body]), { headers: request.headers });
    await readBody(again, { limit: endpoint.maxBody, into: raw });
    return { body, storage: decodeParams({ repository_storage }, raw, []).repository_storage };
  } catch (error) {
    if (error instanceof Rejection) return { body };
    throw error;
  }
}
