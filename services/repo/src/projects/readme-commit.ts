import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { Repositories } from '../repository-storage/repositories.ts';

export interface Readme {
  projectId: number;
  branch: string;
  title: string;
  description: string | null;
  author: { name: string; email: string };
  date: Date;
}

export async function commitReadme(
  repositories: Repositories,
  { projectId, branch, title, description, author, date }: Readme,
  metadata: EventMetadata,
): Promise<void> {
  const text = description ? `# ${title}\n\n${description}\n` : `# ${title}\n`;
  const { oid } = await repositories.of(projectId).buildCommit({
    parents: [],
    actions: [{ action: 'create', path: 'README.md', content: Buffer.from(text) }],
    author: { name: author.name, email: author.email, date },
    message: 'Initial commit',
  });
  const update = { ref: `refs/heads/${branch}`, oldOid: ZERO_OID, newOid: oid };
  await repositories.moveRefs(projectId, [update], metadata, 'api');
}
