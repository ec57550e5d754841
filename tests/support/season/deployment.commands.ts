import { madeBy, type Stage, type WeightedCommand } from './stage.ts';

export const deploymentCommands: readonly WeightedCommand[] = [
  [4, createEnvironment],
  [4, changeEnvironment],
  [3, createPeriod],
  [3, changePeriod],
  [3, createFlag],
  [5, changeFlag],
  [2, createUserList],
  [2, changeUserList],
];

export async function createEnvironment({ send, random, known, pick, next }: Stage): Promise<void> {
  const project = pick.projects();
  const given = { name: `place/${next()}`, external_url: random.pick([undefined, 'https://place.example']) };
  const environment = madeBy(await send('POST', `/projects/${project}/environments`, given));
  if (environment !== undefined) known.environments.push({ project, id: environment });
}

function changeEnvironment({ send, random, pick, next }: Stage) {
  const { project, id } = pick.environments();
  const path = `/projects/${project}/environments/${id}`;
  const kind = random.below(3);
  if (kind === 0) return send('PUT', path, { external_url: `https://place${next()}.example` });
  return kind === 1 ? send('POST', `${path}/stop`) : send('DELETE', path);
}

export async function createPeriod({ send, known, pick }: Stage): Promise<void> {
  const project = pick.projects();
  const given = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'UTC' };
  const period = madeBy(await send('POST', `/projects/${project}/freeze_periods`, given));
  if (period !== undefined) known.periods.push({ project, id: period });
}

function changePeriod({ send, random, pick }: Stage) {
  const { project, id } = pick.periods();
  const path = `/projects/${project}/freeze_periods/${id}`;
  if (random.below(3) === 0) return send('DELETE', path);
  return send('PUT', path, { freeze_end: `0 ${random.below(24)} * * 1` });
}

/** Few names, so that some are taken and many are there. */
const flagName = (at: number) => `flag-${at}`;
const FLAGS = 4;

const strategyOf = ({ random, next }: Stage) =>
  random.pick([
    { name: 'default', scopes: [{ environment_scope: `place/${next()}` }] },
    { name: 'userWithId', parameters: { userIds: `user-${next()}` } },
    { name: 'gitlabUserList', user_list_id: 1 + random.below(9) },
  ]);

function createFlag(stage: Stage) {
  const { send, random, pick } = stage;
  const given = { name: flagName(random.below(FLAGS)), strategies: [strategyOf(stage)] };
  return send('POST', `/projects/${pick.projects()}/feature_flags`, given);
}

function changeFlag(stage: Stage) {
  const { send, random, pick, isHeads } = stage;
  const path = `/projects/${pick.projects()}/feature_flags/${flagName(random.below(FLAGS))}`;
  const kind = random.below(4);
  if (kind === 0) return send('DELETE', path);
  if (kind === 1) return send('PUT', path, { name: flagName(random.below(FLAGS)) });
  return send('PUT', path, { active: isHeads(), strategies: [strategyOf(stage)] });
}

function createUserList({ send, pick, next }: Stage) {
  const given = { name: `List ${next()}`, user_xids: `user-${next()}` };
  return send('POST', `/projects/${pick.projects()}/feature_flags_user_lists`, given);
}

function changeUserList({ send, random, pick, next }: Stage) {
  const path = `/projects/${pick.projects()}/feature_flags_user_lists/${1 + random.below(3)}`;
  if (random.below(3) === 0) return send('DELETE', path);
  return send('PUT', path, { user_xids: `user-${next()},user-${next()}` });
}
