import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Directory } from './directory.ts';
import { emailStream, type Holder, type NameState, nameDecider, routeStream } from './name.decider.ts';

/** Claims of names; `stream` is `routeStream(…)` or `emailStream(…)`. Safe to repeat. */
export interface Names {
  /** @throws NameTakenError */
  claim(stream: string, holder: NameHolder, metadata: EventMetadata): Promise<void>;
  release(stream: string, holder: NameHolder, metadata: EventMetadata): Promise<void>;
}

export interface NameHolder {
  kind: Holder;
  id: number;
}

/** How long a claim counts whose holder does not bear the name (yet, or no longer). */
const GRACE_MS = 60_000;

export function createNames(ports: {
  commands: CommandHandler;
  directory: Pick<Directory, 'user' | 'namespace' | 'project'>;
  clock: () => Date;
}): Names {
  const { commands, directory, clock } = ports;

  /** Whether the holder goes by this name now. */
  async function bears({ kind, id }: NameHolder, stream: string): Promise<boolean> {
    switch (kind) {
      case 'user': {
        const user = await directory.user(id);
        if (!user || user.state === 'deleted') return false;
        return [routeStream(null, user.username!), emailStream(user.email!)].includes(stream);
      }
      case 'group': {
        const group = await directory.namespace(id);
        return group !== undefined && routeStream(group.parentId, group.path!) === stream;
      }
      case 'project': {
        const project = await directory.project(id);
        return project !== undefined && routeStream(project.namespaceId, project.path!) === stream;
      }
      default:
        return kind satisfies never;
    }
  }

  /** A claim that outlived its reason: its creation or release broke off (the process ended in between). */
  async function isAbandoned(holder: NonNullable<NameState['holder']>, stream: string): Promise<boolean> {
    if (holder.claimedAt === null) return false;
    const isOld = clock().getTime() - Date.parse(holder.claimedAt) > GRACE_MS;
    return isOld && !(await bears(holder, stream));
  }

  const release: Names['release'] = async (stream, { kind, id }, metadata) => {
    await commands.handle(nameDecider, stream, { type: 'ReleaseName', holder: kind, holderId: id }, metadata);
  };

  return {
    release,
    async claim(stream, { kind, id }, metadata) {
      const { holder } = (await commands.load(nameDecider, stream)).state;
      const isMine = holder?.kind === kind && holder.id === id;
      // Taken from the one found, so that whoever took it in the meantime keeps it.
      if (holder && !isMine && (await isAbandoned(holder, stream))) await release(stream, holder, metadata);
      const claimedAt = clock().toISOString();
      await commands.handle(
        nameDecider,
        stream,
        { type: 'ClaimName', holder: kind, holderId: id, isAbandoned: false, claimedAt },
        metadata,
      );
    },
  };
}
