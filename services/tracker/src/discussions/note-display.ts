import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { systemNotes } from '../system-notes/shown-system-notes.ts';
import type { Discussed, DiscussedKind } from '../targets/target.ts';
import type { NoteRow } from './discussions.collection.ts';
import { type ShownNote, shownPositions } from './shown-positions.ts';

/** Notes on the targets of one kind as they are shown now. */
export function noteDisplay(ports: ServicePorts, kind: DiscussedKind) {
  const withPositions = shownPositions(ports, kind);
  const { told } = systemNotes(ports);
  return async (
    target: Discussed,
    notes: readonly NoteRow[],
    principal: Principal | null,
  ): Promise<ShownNote[]> => withPositions(target, await told(target, notes, principal), principal);
}
