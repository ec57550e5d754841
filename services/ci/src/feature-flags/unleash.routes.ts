import { fits } from '@forgelog/ci-config/variables/levels.ts';
import {
  getFeatureFlagsClient,
  getUnleash,
  listUnleashFeatures,
  listUnleashFeaturesOfOldClients,
  registerUnleashClient,
  resetFeatureFlagsClient,
  takeUnleashMetrics,
} from '@forgelog/contracts/ci/feature-flags/unleash.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { flagsOfProject, withLists } from './feature-flag.query.ts';
import { featureFlagsClientJson, strategiesOf, unleashFeaturesJson } from './feature-flag.view.ts';
import { featureFlagsClientDecider, featureFlagsClientStream } from './feature-flags-client.decider.ts';
import { createInstanceIds } from './instance-ids.ts';

type UnleashRequest = ApiRequest<typeof listUnleashFeatures>;

/** A header counts before the parameter, as upstream. */
const sent = (header: string | string[] | undefined, parameter: string | undefined): string =>
  (typeof header === 'string' ? header : parameter) ?? '';

export function unleashRoutes(ports: CiPorts): Implementation[] {
  const { commands, directory, readStore, tokenGuesses } = ports;
  const instanceIds = createInstanceIds(ports);
  const featuresView = unleashFeaturesJson.renderer(ports);
  const clientView = featureFlagsClientJson.renderer(ports);

  const clientOf = async (projectId: number): Promise<Answer> =>
    json(clientView.one({ projectId, instanceId: await instanceIds.of(projectId) }));

  /** @throws Rejection 401 alike for a wrong instance id, a project that is not there, and one without feature flags */
  async function projectOf({ params, headers, origin }: UnleashRequest): Promise<number> {
    const instanceId = sent(headers['unleash-instanceid'], params.instance_id);
    const parsed = parseIdOrPath(params.project_id);
    const project = await (typeof parsed === 'number'
      ? directory.project(parsed)
      : directory.projectByPath(parsed));
    const isRight = project !== undefined && (await instanceIds.isRight(project.id, instanceId));
    if (isRight) tokenGuesses.right(`feature flags ${project.id}`, origin);
    else if (instanceId !== '') tokenGuesses.wrong(instanceId, origin);
    const isServed =
      isRight &&
      (project.features as Record<string, string>).operations !== 'disabled' &&
      !(await directory.marked()).projects.has(project.id);
    if (!isServed) throw new Rejection('unauthorized');
    return project.id;
  }

  async function features(request: UnleashRequest): Promise<Answer> {
    const projectId = await projectOf(request);
    const environment = sent(request.headers['unleash-appname'], request.params.app_name);
    const all = environment === '' ? [] : await flagsOfProject(readStore, projectId);
    const holding = all.flatMap((flag) => {
      const strategies = strategiesOf(flag).filter(({ scopes }) =>
        scopes.some(({ environmentScope }) => fits(environmentScope, environment)),
      );
      return strategies.length === 0 ? [] : [{ ...flag, strategies }];
    });
    return json(featuresView.one({ flags: await withLists(readStore, holding) }));
  }

  async function received(request: UnleashRequest): Promise<Answer> {
    await projectOf(request);
    return { kind: 'empty', status: 200 };
  }

  return [
    implement(getFeatureFlagsClient, async ({ project }) => clientOf(project.project.id)),

    implement(resetFeatureFlagsClient, async ({ project, metadata }) => {
      const projectId = project.project.id;
      const stream = featureFlagsClientStream(projectId);
      const command = { type: 'ResetFeatureFlagsClient', projectId } as const;
      await commands.handle(featureFlagsClientDecider, stream, command, metadata);
      return clientOf(projectId);
    }),

    implement(getUnleash, received),
    implement(listUnleashFeatures, features),
    implement(listUnleashFeaturesOfOldClients, features),
    implement(registerUnleashClient, received),
    implement(takeUnleashMetrics, received),
  ];
}
