import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectCreated, projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { projectUpdated } from '../testing/start-pipelines.ts';
import { ciProjectSettings, ciProjectSettingsProjection } from './project-settings.projection.ts';

const thenSettings = (events: readonly { event: object }[], settings: object[]) =>
  givenEvents(ciProjectSettingsProjection, ...events.map(({ event }) => event as never)).thenDocuments(
    ciProjectSettings,
    settings,
  );

test('a project has the defaults until it says otherwise', async () => {
  await thenSettings(
    [
      projectCreated(7),
      projectCreated(8, {
        settings: { public_builds: false, shared_runners_enabled: false, keep_latest_artifact: false },
      }),
      projectUpdated(8, {
        settings: { auto_cancel_pending_pipelines: 'disabled', ci_default_git_depth: null },
      }),
      projectUpdated(8, { description: 'Other things' }),
    ],
    [
      {
        projectId: 7,
        publicBuilds: true,
        cancelsRedundantPipelines: true,
        sharedRunners: true,
        gitDepth: 50,
        keepsLatestArtifacts: true,
      },
      {
        projectId: 8,
        publicBuilds: false,
        cancelsRedundantPipelines: false,
        sharedRunners: false,
        gitDepth: 0,
        keepsLatestArtifacts: false,
      },
    ],
  );
});

test('settings go with their project, and no late event brings them back', async () => {
  await thenSettings([projectCreated(7), projectDeleted(7), projectUpdated(7, { settings: {} })], []);
});
