import type { PipelineSource } from '@forgelog/ci-config/pipeline.ts';
import type { MergeRequestFacts } from '@forgelog/ci-config/variables/facts.ts';
import { NO_VARIABLES, type Variable } from '@forgelog/ci-config/variables/variable.ts';
import {
  describeRef,
  readFiles,
} from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { SealedTextError } from '@forgelog/service-kit/sealed.ts';
import { type JobOwner, variablesForJobs } from '../ci-variables/variables-for-jobs.query.ts';
import { freezePeriods } from '../freeze-periods/freeze-periods.projection.ts';
import { isFrozen } from '../freeze-periods/frozen.rules.ts';
import type { Compilation } from './compilation.ts';
import type { Compiler } from './compiler.ts';
import { configurationSources } from './configuration-sources.ts';
import {
  CONTEXT_OF_NOTHING,
  contextOf,
  DEFAULT_CONFIG_PATH,
  type DescribedRef,
  ZERO_SHA,
} from './pipeline-facts.ts';
import { type FetchRemoteFile, NO_REMOTE_FILES, remoteFiles } from './remote-file.ts';

export interface PipelineRequest {
  project: DirectoryProject;
  principal: Principal | null;
  source: PipelineSource;
  /** Null for the default branch. */
  ref: string | null;
  sha: string | null;
  beforeSha: string | null;
  given: readonly Variable[];
  triggerShortToken?: string | null;
  mergeRequest?: MergeRequestFacts | null;
  /** Open merge requests of the branch, as `group/project!1`. */
  openMergeRequests?: readonly string[];
}

export interface NoConfiguration {
  reason: 'no project' | 'no ref' | 'no commit' | 'no file';
  message: string;
}

const NOTHING: Readonly<Record<NoConfiguration['reason'], NoConfiguration>> = {
  'no project': { reason: 'no project', message: 'Insufficient permissions to create a new pipeline' },
  'no ref': { reason: 'no ref', message: 'Reference not found' },
  'no commit': { reason: 'no commit', message: 'Commit not found' },
  'no file': { reason: 'no file', message: 'Missing CI config file' },
};

interface CompileOptions {
  /** Replaces the project's file. */
  content?: string | undefined;
  plans: boolean;
  /** False keeps values of settings from a caller who may not see them. */
  withVariables: boolean;
}

export interface ProjectConfigurations {
  describe(
    request: Pick<PipelineRequest, 'project' | 'principal' | 'ref' | 'sha'>,
  ): Promise<DescribedRef | NoConfiguration>;
  /** @throws Rejection `unavailable`, `too_many_requests` */
  compile(
    request: PipelineRequest,
    described: DescribedRef,
    options: CompileOptions,
  ): Promise<Compilation | NoConfiguration>;
  compileText(text: string, principal: Principal): Promise<Compilation>;
}

export function projectConfigurations(
  ports: Pick<
    ServicePorts,
    'operations' | 'directory' | 'readStore' | 'clock' | 'configuration' | 'host' | 'log'
  > & {
    compiler: Compiler;
    fetchRemoteFile?: FetchRemoteFile;
  },
): ProjectConfigurations {
  const { operations, directory, readStore, clock, configuration, compiler, log } = ports;
  const configuredVariables = variablesForJobs(ports);
  const externalUrl: string = JSON.parse(`"${ports.host}"`);
  const fetchRemoteFile =
    ports.fetchRemoteFile ?? (configuration.CI_REMOTE_INCLUDES === 'on' ? remoteFiles() : NO_REMOTE_FILES);
  const sourcePorts = { operations, directory, fetchRemoteFile };

  async function readRoot({ project, principal }: PipelineRequest, { commit, settings }: DescribedRef) {
    const { configPath } = settings;
    const elsewhere = configPath === null ? null : includeOf(configPath);
    if (elsewhere !== null) return elsewhere;
    const path = configPath ?? DEFAULT_CONFIG_PATH;
    const request = { projectId: project.id, revision: commit.sha, paths: [path] };
    const answer = await operations.call(readFiles, request, { principal });
    const file = 'refused' in answer ? null : answer.files[0]!;
    if (file === 'too large') return TOO_LARGE;
    return file === null || file.text.trim() === '' ? null : file.text;
  }

  async function openedVariables(owner: JobOwner) {
    try {
      return await configuredVariables(owner);
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      log.error({ err: error, projectId: owner.projectId }, 'the value of a CI variable cannot be read');
      return null;
    }
  }

  return {
    async describe({ project, principal, ref, sha }) {
      const request = { projectId: project.id, ref, sha };
      const answer = await operations.call(describeRef, request, { principal });
      return 'refused' in answer ? NOTHING[answer.refused] : answer;
    },

    async compile(request, described, { content, plans, withVariables }) {
      const { project, principal, source, beforeSha, given, triggerShortToken = null } = request;
      const { mergeRequest = null, openMergeRequests = [] } = request;
      const text = content ?? (await readRoot(request, described));
      if (text === null) return NOTHING['no file'];
      const periods = await readStore.find(freezePeriods, {
        where: eq('projectId', project.id),
        limit: 1000,
      });
      const now = clock();
      const owner = {
        projectId: project.id,
        groupIds: project.ancestors ?? [],
        isProtected: described.isProtected,
      };
      const configured = withVariables ? await openedVariables(owner) : NO_VARIABLES;
      if (!configured) return UNREADABLE_VARIABLES;
      const context = contextOf({
        ...{ project, described, source, user: principal, beforeSha, given, externalUrl, triggerShortToken },
        ...{ mergeRequest, openMergeRequests },
        createdAt: now.toISOString(),
        isFrozen: isFrozen(periods, now),
        configured,
      });
      const { sha } = described.commit;
      const from = mergeRequest ? mergeRequest.diffBaseSha : beforeSha;
      const compared = from === null || from === ZERO_SHA ? null : { projectId: project.id, from, to: sha };
      const path = described.settings.configPath ?? DEFAULT_CONFIG_PATH;
      const task = { path, text, origin: { project: String(project.id), sha }, context, plans };
      const sources = configurationSources(sourcePorts, { principal, compared });
      return compiler.compile(task, sources, principal?.userId ?? null);
    },

    compileText(text, principal) {
      const origin = { project: '', sha: '' };
      const task = { path: DEFAULT_CONFIG_PATH, text, origin, context: CONTEXT_OF_NOTHING, plans: false };
      const sources = configurationSources(sourcePorts, { principal, compared: null });
      return compiler.compile(task, sources, principal.userId);
    },
  };
}

export const noRightToRun = (ref: string): string =>
  `You do not have sufficient permission to run a pipeline on '${ref}'. Please select a different branch or contact your administrator for assistance.`;

const UNREADABLE_VARIABLES: Compilation = {
  errors: [
    'The value of a CI variable cannot be read. The log of the server says why, and what an administrator does.',
  ],
  warnings: [],
  mergedYaml: null,
  pipeline: null,
  hasNoJobs: false,
};

/** The compiler refuses it for its size. */
const TOO_LARGE = ' '.repeat(1024 * 1024 + 1);

/** The path of a configuration may lead to another server or project: `a.yml@group/project:ref`. JSON is YAML, too. */
function includeOf(configPath: string): string | null {
  if (/^https?:\/\//i.test(configPath)) return JSON.stringify({ include: [{ remote: configPath }] });
  const [, file, project, ref] = /^([^@]+)@([^@:]+)(?::(.+))?$/.exec(configPath) ?? [];
  if (file === undefined) return null;
  return JSON.stringify({ include: [{ project, file, ...(ref === undefined ? {} : { ref }) }] });
}
