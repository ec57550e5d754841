import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { projects } from './project.collection.ts';

/** Counts a fork with its new origin instead of the old one; null is none. */
export async function moveFork(
  documents: ProjectionDocuments,
  from: number | null,
  to: number | null,
): Promise<void> {
  if (from === to) return;
  await count(documents, from, -1);
  await count(documents, to, 1);
}

/** Forks outlive their origin. */
export async function forgetOrigin(documents: ProjectionDocuments, originId: number): Promise<void> {
  for (const fork of await documents.findAll(projects, eq('forkedFromId', originId)))
    documents.put(projects, { ...fork, forkedFromId: null });
}

async function count(documents: ProjectionDocuments, originId: number | null, more: number): Promise<void> {
  const origin = originId === null ? undefined : await documents.get(projects, originId);
  if (origin) documents.put(projects, { ...origin, forksCount: origin.forksCount + more });
}
