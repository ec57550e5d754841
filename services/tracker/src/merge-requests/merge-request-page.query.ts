import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Condition, SortKey } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { mergeRequestJson, simpleMergeRequestJson } from './merge-request.view.ts';
import { isThere, mergeRequests } from './merge-requests.collection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

interface Wanted {
  where: Condition;
  /** Put for counting. */
  counted?: Condition | undefined;
  sort: readonly SortKey[];
  /** Those that meet this come first. */
  first?: Condition | undefined;
  /** Among those of other projects: references are then the full ones. */
  across: boolean;
  /** Labels as objects. */
  detailed?: boolean;
  /** The short form of each. */
  simple?: boolean;
}

/** Answers with pages of merge requests. */
export function mergeRequestPages(ports: ServicePorts) {
  const { readStore } = ports;
  const { shown } = shownMergeRequests(ports, mergeabilityFor(ports));
  const full = mergeRequestJson.renderer(ports);
  const short = simpleMergeRequestJson.renderer(ports);
  return async (
    { caller, page }: Pick<ApiRequest, 'caller' | 'page'>,
    { where, counted, sort, first, across, detailed = false, simple = false }: Wanted,
  ): Promise<Answer> => {
    const { documents, next } = await pageOf(readStore, mergeRequests, { where, counted, sort, first, page });
    const rows = documents.filter(isThere);
    if (simple) return { kind: 'list', items: short.list(rows), next };
    const items = full.list(await shown(rows, caller), {
      across,
      ...(await shownLabels(readStore, rows, { detailed })),
    });
    return { kind: 'list', items, next };
  };
}
