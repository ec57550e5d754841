import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import {
  type DocumentOf,
  defineCollection,
  endsWith,
  type ReadStore,
} from '@forgelog/eventing/read-store.ts';

/** Settings of projects that pipelines go by. */
export const ciProjectSettings = defineCollection({
  name: 'ci_project_settings',
  key: 'projectId',
  fields: {
    projectId: 'integer',
    publicBuilds: 'boolean',
    cancelsRedundantPipelines: 'boolean',
    sharedRunners: 'boolean',
    /** Whether jobs keep their working copies; others clone anew. */
    fetchesGit: 'boolean',
    /** Commits; 0 for all. */
    gitDepth: 'integer',
    /** Whether artifacts of the newest pipeline of a ref stay, however long ago they expired. */
    keepsLatestArtifacts: 'boolean',
  },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type CiProjectSettings = DocumentOf<typeof ciProjectSettings>;

const DEFAULTS = {
  publicBuilds: true,
  cancelsRedundantPipelines: true,
  sharedRunners: true,
  fetchesGit: true,
  gitDepth: 50,
  keepsLatestArtifacts: true,
};

type Told = Partial<{
  public_builds: boolean;
  auto_cancel_pending_pipelines: string;
  shared_runners_enabled: boolean;
  build_git_strategy: string;
  ci_default_git_depth: number | null;
  keep_latest_artifact: boolean;
}>;

export const ciProjectSettingsProjection = defineProjection<ProjectEvent>({
  name: 'ci-project-settings',
  collections: [ciProjectSettings],
  handles: ['ProjectCreated', 'ProjectUpdated'],
  async project(event, documents) {
    if (event.type !== 'ProjectCreated' && event.type !== 'ProjectUpdated') return;
    const { projectId } = event.data;
    const settings = event.type === 'ProjectCreated' ? event.data.settings : event.data.changes.settings;
    const before = await documents.get(ciProjectSettings, projectId);
    if (event.type === 'ProjectUpdated' && (!before || !settings)) return;
    const present = before ?? { projectId, ...DEFAULTS };
    documents.put(ciProjectSettings, { ...present, ...fieldsOf((settings ?? {}) as Told) });
  },
});

/** Only what was told. */
function fieldsOf(told: Told): Partial<CiProjectSettings> {
  const { public_builds: publicBuilds, shared_runners_enabled: sharedRunners } = told;
  const { auto_cancel_pending_pipelines: cancels, build_git_strategy: strategy } = told;
  const { ci_default_git_depth: gitDepth, keep_latest_artifact: keepsLatestArtifacts } = told;
  return {
    ...(publicBuilds !== undefined && { publicBuilds }),
    ...(cancels !== undefined && { cancelsRedundantPipelines: cancels === 'enabled' }),
    ...(sharedRunners !== undefined && { sharedRunners }),
    ...(strategy !== undefined && { fetchesGit: strategy === 'fetch' }),
    ...(keepsLatestArtifacts !== undefined && { keepsLatestArtifacts }),
    ...(gitDepth !== undefined && { gitDepth: gitDepth ?? 0 }),
  };
}

export const projectCiSettings = async (
  readStore: ReadStore,
  projectId: number,
): Promise<CiProjectSettings> =>
  (await readStore.get(ciProjectSettings, projectId)) ?? { projectId, ...DEFAULTS };
