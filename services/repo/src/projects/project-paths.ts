import { NameTakenError, nameDecider, routeStream } from '@forgelog/directory/name.decider.ts';
import { type CommandHandler, ConflictError } from '@forgelog/eventing/command-handler.ts';
import { type EventMetadata, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { WrongExpectedRevisionError } from '@forgelog/eventing/event-store.ts';
import { projectDecider, projectStream } from './project.decider.ts';

export interface Place {
  namespaceId: number;
  path: string;
}

/** Paths of projects: claimed before a project takes them, so that two who want the same meet. */
export interface ProjectPaths {
  /**
   * Holds the path for the project while `use` runs, and lets go of it again when `use` fails.
   * @throws NameTakenError
   */
  claimed<T>(projectId: number, place: Place, metadata: EventMetadata, use: () => Promise<T>): Promise<T>;
  release(projectId: number, place: Place, metadata: EventMetadata): Promise<void>;
}

export function projectPaths(commands: CommandHandler): ProjectPaths {
  /** What is being claimed in this process, and by which project: that is not abandoned. */
  const claiming = new Set<string>();
  const claimOf = (projectId: number, { namespaceId, path }: Place) =>
    `${projectId} ${routeStream(namespaceId, path)}`;

  /** Whether a project holds a path that it neither has nor is about to have. */
  async function isAbandoned(projectId: number, place: Place): Promise<boolean> {
    if (claiming.has(claimOf(projectId, place))) return false;
    const { namespaceId, path } = place;
    const stream = projectStream(projectId);
    const { state } = await commands.load(projectDecider, stream);
    if (state.status === 'present')
      return state.namespaceId !== namespaceId || state.path.toLowerCase() !== path.toLowerCase();
    if (state.status !== 'absent') return true;
    // Another process may be creating it this very moment: whoever writes to its stream first decides.
    try {
      const command = { type: 'AbandonCreation' as const, projectId };
      await commands.handle(projectDecider, stream, command, SYSTEM_METADATA, { mustBeNew: true });
      return true;
    } catch (error) {
      if (error instanceof ConflictError) return false;
      throw error;
    }
  }

  async function claim(projectId: number, place: Place, metadata: EventMetadata): Promise<void> {
    const stream = routeStream(place.namespaceId, place.path);
    const data = { holder: 'project' as const, holderId: projectId };
    const { state, revision } = await commands.load(nameDecider, stream);
    const { holder } = state;
    if (holder?.kind === 'project' && holder.id !== projectId && (await isAbandoned(holder.id, place))) {
      // At the revision that was looked at: the next holder may well be alive.
      await commands
        .append(stream, revision ?? 'no-stream', [{ type: 'NameClaimed', data }], metadata)
        .catch((error: unknown) => {
          throw error instanceof WrongExpectedRevisionError ? new NameTakenError() : error;
        });
      return;
    }
    const command = { type: 'ClaimName' as const, isAbandoned: false, ...data };
    await commands.handle(nameDecider, stream, command, metadata);
  }

  /** An answer that was lost, or projections that lag, may hide that the project took the path all the same. */
  async function holds(projectId: number, { namespaceId, path }: Place): Promise<boolean> {
    const { state } = await commands.load(projectDecider, projectStream(projectId));
    return state.status === 'present' && state.namespaceId === namespaceId && state.path === path;
  }

  async function release(projectId: number, place: Place, metadata: EventMetadata): Promise<void> {
    const stream = routeStream(place.namespaceId, place.path);
    const command = { type: 'ReleaseName' as const, holder: 'project' as const, holderId: projectId };
    await commands.handle(nameDecider, stream, command, metadata);
  }

  return {
    async claimed(projectId, place, metadata, use) {
      claiming.add(claimOf(projectId, place));
      try {
        await claim(projectId, place, metadata);
        try {
          return await use();
        } catch (error) {
          if (!(await holds(projectId, place))) await release(projectId, place, metadata);
          // The creation was given up by somebody else while it stood: he has the path now.
          if (error instanceof ConflictError) throw new NameTakenError();
          throw error;
        }
      } finally {
        claiming.delete(claimOf(projectId, place));
      }
    },
    release,
  };
}
