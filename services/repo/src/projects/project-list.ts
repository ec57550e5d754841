import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, type Condition } from '@forgelog/eventing/query.ts';
import type { Answer, NextPage } from '@forgelog/service-kit/answer.ts';
import { MAX_OFFSET_RECORDS, type PageRequest, pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type ProjectDocument, projects } from './project.collections.ts';
import type { ProjectAnswers } from './project-answers.ts';
import { conditionOf, type FilterPorts, memberOf, orderOf, type ProjectFilters } from './project-filters.ts';
import { similarityTo } from './similarity.ts';

export interface Listing {
  /** Of which projects at all: those of a namespace, or every one. */
  scope: Condition;
  filters: ProjectFilters;
  page: PageRequest;
  principal: Principal | null;
  /** What `order_by=similarity` means where nothing is searched for. */
  withoutSearch: 'created_at' | 'name';
}

export type ProjectListing = (listing: Listing) => Promise<Answer>;

/** So many matches are ranked by similarity; who gets more searches for too little. */
const MAX_RANKED = 1000;

export function projectListing(ports: FilterPorts & { answers: ProjectAnswers }): ProjectListing {
  const { readStore, directory, answers } = ports;

  async function keyset(where: Condition, { filters, page }: Listing) {
    if (filters.order_by !== 'id') throw new Rejection('keyset_not_available');
    const documents = await readStore.find(projects, {
      where,
      sort: [{ field: 'id', direction: filters.sort ?? 'desc' }],
      limit: page.size + 1,
    });
    const hasMore = documents.length > page.size;
    if (hasMore) documents.pop();
    const next: NextPage = { by: 'keyset', id: hasMore ? documents.at(-1)!.id : null };
    return { documents, next };
  }

  async function ranked(where: Condition, { filters, page, principal }: Listing) {
    const found = await readStore.find(projects, {
      where: and(where, await memberOf(directory, principal, 1)),
      limit: MAX_RANKED,
    });
    const rank = similarityTo(filters.search!);
    const ordered = found
      .map((document) => ({ document, rank: rank(document) }))
      .sort((a, b) => b.rank - a.rank || b.document.id - a.document.id);
    const documents = ordered.slice(page.offset, page.offset + page.size).map(({ document }) => document);
    const more = ordered.length > page.offset + page.size;
    return { documents, next: { by: 'offset', total: ordered.length, more } as NextPage };
  }

  async function select(
    where: Condition,
    listing: Listing,
  ): Promise<{ documents: ProjectDocument[]; next: NextPage }> {
    const { filters, page, principal, withoutSearch } = listing;
    if (page.keyset) return keyset(where, listing);
    if (page.number * page.size > MAX_OFFSET_RECORDS)
      throw new Rejection('offset_too_large', { type: 'Project' });
    const bySimilarity = filters.order_by === 'similarity';
    if (bySimilarity && filters.search && principal) return ranked(where, listing);
    const byName: ProjectFilters = { order_by: 'name', sort: 'asc' };
    const order = bySimilarity && withoutSearch === 'name' ? byName : filters;
    return pageOf(readStore, projects, { where, sort: orderOf(order, principal?.isAdmin ?? false), page });
  }

  return async (listing) => {
    const { scope, filters, principal } = listing;
    const where = and(scope, await conditionOf(filters, principal, ports));
    const { documents, next } = await select(where, listing);
    const items = await Promise.all(documents.map((document) => answers(document, principal, filters)));
    return { kind: 'list', items, next };
  };
}
