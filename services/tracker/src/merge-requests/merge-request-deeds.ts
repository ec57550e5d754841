import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import {
  approveMergeRequest,
  unapproveMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import {
  mergeMergeRequest,
  rebaseMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/merge.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import { approvalRoutes } from './approval.routes.ts';
import { mergeRoutes } from './merge.routes.ts';
import { type MergeRequest, mergeRequests } from './merge-requests.collection.ts';

type Found = { row: MergeRequest };

/** Calls an endpoint for a merge request in the name of whoever wrote to it: the same rules decide, whatever they become. */
async function call(
  implementations: readonly Implementation[],
  endpoint: AnyEndpoint,
  { row }: Found,
  { request, more = {} }: { request: ApiRequest; more?: object },
): Promise<true> {
  const { origin, page, body, principal, project, given } = request;
  const params = { id: row.projectId, merge_request_iid: row.iid, ...more };
  const signal = () => request.signal;
  const asked = new ApiRequest({ endpoint, params, given, principal, origin, page, signal, body, project });
  await implementations.find((known) => known.endpoint === endpoint)!.handle(asked);
  return true;
}

/** What commands in texts do to a merge request besides its record. */
export const mergeRequestDeeds = {
  approve: (ports: ServicePorts, target: Found, request: ApiRequest, approved: boolean) =>
    call(approvalRoutes(ports), approved ? approveMergeRequest : unapproveMergeRequest, target, { request }),

  rebase: (ports: ServicePorts, target: Found, request: ApiRequest) =>
    call(mergeRoutes(ports), rebaseMergeRequest, target, { request }),

  /** At once, or when its pipeline has succeeded where one runs. */
  async merge(ports: ServicePorts, target: Found, request: ApiRequest) {
    const more = { merge_when_pipeline_succeeds: true };
    await call(mergeRoutes(ports), mergeMergeRequest, target, { request, more });
    const now = await ports.readStore.get(mergeRequests, target.row.place);
    return now?.state === 'merged' ? ('merged' as const) : ('scheduled' as const);
  },
};
