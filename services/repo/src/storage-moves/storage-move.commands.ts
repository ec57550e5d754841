import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { RepoPorts } from '../ports.ts';
import {
  type Moved,
  projectMoved,
  type StorageMoveCommand,
  storageMoveDecider,
  storageMoveStream,
} from './storage-move.decider.ts';

type Ports = Pick<RepoPorts, 'commands' | 'ids' | 'storages'>;

interface WantedMove {
  /** null for a snippet or group, wherever it counts. */
  source: string | null;
  /** Undefined for one of the others. */
  destination: string | undefined;
}

/** The others in turn, by the id of what is moved; the source itself where there is no other. */
function destinationOf({ source, destination }: WantedMove, moved: Moved, all: readonly string[]): string {
  if (destination !== undefined) return destination;
  const from = source ?? all[0]!;
  const others = all.filter((storage) => storage !== from);
  const id = moved.groupId ?? moved.snippetId ?? moved.projectId ?? 0;
  return others[id % others.length] ?? from;
}

/** @throws Rejection 400 for a storage that does not exist */
export function requireStorage({ storages }: Pick<Ports, 'storages'>, name: string | undefined): void {
  if (name !== undefined && !storages.all.includes(name))
    throw new Rejection('validation_failed', {
      fields: { destination_storage_name: ['is not included in the list'] },
    });
}

/** @throws Rejection 400 for a project that is being moved */
export async function requireUnmoved({ commands }: Pick<Ports, 'commands'>, projectId: number) {
  const { state } = await commands.load(storageMoveDecider, storageMoveStream(projectMoved(projectId)));
  if (state.open !== null)
    throw new Rejection('validation_failed', {
      fields: { repository_storage: ['cannot be changed while the repository is being moved'] },
    });
}

/** Returns the id of the move; undefined where nothing counts on the source. @throws Rejection 400 while it is being moved */
export async function scheduleMove(
  { commands, ids, storages }: Ports,
  moved: Moved,
  wanted: WantedMove,
  metadata: EventMetadata,
): Promise<number | undefined> {
  const stream = storageMoveStream(moved);
  const { state } = await commands.load(storageMoveDecider, stream);
  const source = wanted.source ?? state.storage;
  const destination = destinationOf({ ...wanted, source }, moved, storages.all);
  const commandOf = (moveId: number): StorageMoveCommand => ({
    ...{ type: 'ScheduleMove', moveId, source: wanted.source, destination },
    ...moved,
  });
  // What is refused takes no id.
  if (storageMoveDecider.decide(commandOf(0), state).length === 0) return undefined;
  const moveId = await ids.next('storageMove');
  await commands.handle(storageMoveDecider, stream, commandOf(moveId), metadata);
  return moveId;
}
