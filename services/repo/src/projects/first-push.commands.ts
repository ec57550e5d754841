import { type ErrorDetails, Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Creation, ProjectCreation } from './project-creation.commands.ts';
import { mayCreateIn } from './project-namespace.access.ts';

/** Projects that come to be by a push to an address where there is nothing (ADR 22). */
export interface FirstPushes {
  /**
   * What a push to this address would make. Nothing happens yet.
   * @throws 404 where the caller may make nothing, 422 where what they may make cannot have this path
   */
  plan(path: string, principal: Principal): Promise<Creation>;
  /** An id for it, which its repository can have before the project is there. */
  reserve(): Promise<number>;
  /** Makes it. Returns what the pusher is told. @throws 422 */
  make(creation: Creation, projectId: number, principal: Principal, metadata: EventMetadata): Promise<string>;
  /** Takes back what came to nothing. Returns whether the project was there. */
  takeBack(projectId: number, metadata: EventMetadata): Promise<boolean>;
}

/** Repositories beside a project's own, which have no project of their own to be made. */
const BESIDE = /\.(wiki|design)$/i;

export function firstPushes(
  ports: Pick<ServicePorts, 'commands' | 'ids' | 'directory' | 'host'> & {
    creation: ProjectCreation;
  },
): FirstPushes {
  const { commands, ids, directory, creation: projects } = ports;

  return {
    async plan(path, principal) {
      const at = path.lastIndexOf('/');
      const name = path.slice(at + 1);
      const namespace = await directory.namespaceByPath(path.slice(0, at));
      const isOpen = namespace && !BESIDE.test(name) && (await mayCreateIn(directory, principal, namespace));
      if (!isOpen) throw new Rejection('not_found', { what: 'Project' });
      const creation: Creation = {
        name,
        path: name,
        namespaceId: namespace.id,
        description: null,
        visibility: 'private',
        settings: {},
        storage: undefined,
        defaultBranch: undefined,
        withReadme: false,
      };
      await projects.check(creation, principal).catch(inWords);
      return creation;
    },

    reserve: () => ids.next('project'),

    async make(creation, projectId, principal, metadata) {
      await projects.create(creation, principal, metadata, projectId).catch(inWords);
      const fullPath = `${(await directory.namespace(creation.namespaceId!))!.fullPath}/${creation.path}`;
      return madeText(fullPath, `${JSON.parse(`"${ports.host}"`)}/${fullPath}`);
    },

    async takeBack(projectId, metadata) {
      const stream = projectStream(projectId);
      const { state } = await commands.load(projectDecider, stream);
      if (state.status !== 'present') return false;
      await commands.handle(projectDecider, stream, { type: 'DeleteProject', projectId }, metadata);
      return true;
    },
  };
}

/** A refused creation as one line of text: whoever pushes reads no JSON. */
function inWords(error: unknown): never {
  if (!(error instanceof Rejection)) throw error;
  const problems = problemsOf(error);
  if (problems.length === 0) throw error;
  throw new Rejection('unprocessable', { message: `Could not create project: ${problems.join(', ')}` });
}

function problemsOf({ code, details }: Rejection): readonly string[] {
  if (code === 'limit_reached') return (details as ErrorDetails<'limit_reached'>).problems;
  if (code !== 'validation_failed') return [];
  const { fields } = details as ErrorDetails<'validation_failed'>;
  return Object.entries(fields).flatMap(([field, problems]) =>
    problems.map((problem) => `${field[0]!.toUpperCase()}${field.slice(1)} ${problem}`),
  );
}

function madeText(fullPath: string, url: string): string {
  return [
    '',
    `The private project ${fullPath} was successfully created.`,
    '',
    'To configure the remote, run:',
    `  git remote add origin ${url}.git`,
    '',
    'To view the project, visit:',
    `  ${url}`,
    '',
  ].join('\n');
}
