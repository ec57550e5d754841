import { type ErrorDetails, Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { bySystem, type EventMetadata } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Creation, ProjectCreation } from './project-creation.commands.ts';
import { mayCreateIn } from './project-namespace.access.ts';

/** Creates projects by a push to a path that has none (ADR 22). */
export interface FirstPushes {
  /**
   * Checks what a push to this path would create, without side effects.
   * @throws 404 if the caller may not create here, 422 if the path is not valid
   */
  plan(path: string, principal: Principal): Promise<Creation>;
  /** Reserves an id, so that the repository can exist before its project. */
  reserve(): Promise<number>;
  /** Creates the project. Returns the message for the pusher. @throws 422 */
  make(creation: Creation, projectId: number, principal: Principal, metadata: EventMetadata): Promise<string>;
  /** Rolls back a failed push. Returns whether the project existed. */
  takeBack(projectId: number, metadata: EventMetadata): Promise<boolean>;
}

/** Repositories beside a project's own; they get no project. */
const BESIDE = /\.(wiki|design)$/i;

export function firstPushes(
  ports: Pick<ServicePorts, 'commands' | 'directory' | 'host'> & {
    creation: ProjectCreation;
  },
): FirstPushes {
  const { commands, directory, creation: projects } = ports;

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
      await projects.check(creation, principal).catch(asPlainText);
      return creation;
    },

    reserve: projects.reserve,

    async make(creation, projectId, principal, metadata) {
      await projects.create(creation, principal, metadata, projectId).catch(asPlainText);
      const fullPath = `${(await directory.namespace(creation.namespaceId!))!.fullPath}/${creation.path}`;
      return madeText(fullPath, `${JSON.parse(`"${ports.host}"`)}/${fullPath}`);
    },

    async takeBack(projectId, metadata) {
      const stream = projectStream(projectId);
      const { state } = await commands.load(projectDecider, stream);
      if (state.status !== 'present') return false;
      const system = bySystem({ id: null, metadata });
      await commands.handle(projectDecider, stream, { type: 'DeleteProject', projectId }, system);
      return true;
    },
  };
}

/** Formats a refused creation as one line of text for git to print. */
function asPlainText(error: unknown): never {
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
