import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { decodeParams } from '@forgelog/contracts/params.ts';
import { createProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import { emptyRecord, parsePairs } from '@forgelog/service-kit/raw-parameters.ts';
import { collect, readBody } from '@forgelog/service-kit/request-body.ts';

/** What a request for a new project says of where it is to be. */
export interface Placement {
  storage?: string | undefined;
  /** The whole body: to be sent to another instance where the first one does not answer. */
  body?: Buffer | undefined;
}

const { repository_storage } = createProject.params;

/**
 * Reads what the service will read, in the same way. Only administrators choose a storage [L469]. What is malformed is
 * left for the service to refuse, whose refusals have an order. @throws Rejection `too_large`
 */
export async function readPlacement(exchange: Exchange): Promise<Placement> {
  const { request, endpoint, search, principal } = exchange;
  const body = await collect(request.iterator({ destroyOnReturn: false }), endpoint.maxBody);
  if (!principal?.isAdmin) return { body };
  try {
    const raw = emptyRecord();
    parsePairs(search, raw);
    const again = Object.assign(Readable.from([body]), { headers: request.headers });
    await readBody(again, endpoint.maxBody, raw);
    return { body, storage: decodeParams({ repository_storage }, raw, []).repository_storage };
  } catch (error) {
    if (error instanceof Rejection) return { body };
    throw error;
  }
}
