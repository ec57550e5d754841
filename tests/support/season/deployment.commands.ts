import { madeBy, type Stage, type WeightedCommand } from './stage.ts';

export const deploymentCommands: readonly WeightedCommand[] = [
  [4, createEnvironment],
  [4, changeEnvironment],
  [3, createPeriod],
  [3, changePeriod],
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
