import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import { begun } from './label.commands.ts';
import { labelDecider, labelsStream } from './label.decider.ts';
import { labelsFor, labelTitled } from './label.query.ts';
import { type LabelRow, labels } from './labels.projection.ts';

const MOST = 100_000;

/**
 * Puts a label of the group in the place of those with its title in all projects below. The given one is replaced last,
 * so that whoever was interrupted can do it again.
 */
export async function promote(
  { commands, ids, readStore, directory }: ServicePorts,
  label: LabelRow,
  groupId: number,
  metadata: EventMetadata,
): Promise<LabelRow> {
  const { title, color, description } = label;
  const place = { projectId: null, groupId };
  const among = await labelsFor(directory, place);
  if (!(await labelTitled(readStore, among, title))) {
    const labelId = await ids.next('label');
    const attributes = { title, color, description, priority: null, confidential: false };
    await commands.handle(
      labelDecider,
      labelsStream(place),
      { type: 'EnsureLabels', ...place, labels: [{ labelId, ...attributes }] },
      metadata,
    );
  }
  const promoted = (await labelTitled(readStore, among, title))!;
  const projects = await directory.projectsBelow(groupId);
  const same = await readStore.find(labels, {
    where: and(eq('title', title), oneOf('projectId', projects)),
    limit: MOST,
  });
  for (const row of same.toSorted((a, b) => last(a) - last(b))) {
    await begun({ commands }, row, metadata);
    const of = { projectId: row.projectId, groupId: null };
    await commands.handle(
      labelDecider,
      labelsStream(of),
      { type: 'DeleteLabel', labelId: row.id, ...of, replacedById: promoted.id },
      metadata,
    );
  }
  return promoted;

  function last({ id }: { id: number }): number {
    return id === label.id ? 1 : 0;
  }
}
