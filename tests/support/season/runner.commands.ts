import { madeBy, type Stage, type WeightedCommand } from './stage.ts';

export const runnerCommands: readonly WeightedCommand[] = [
  [2, createRunner],
  [3, changeRunner],
];

export async function createRunner({ calls, random, known, pick }: Stage): Promise<void> {
  const place = random.pick([
    { runner_type: 'instance_type' },
    { runner_type: 'group_type', group_id: pick.groups() },
    { runner_type: 'project_type', project_id: pick.projects() },
  ]);
  const runner = madeBy(await calls.post('/user/runners', { ...place, run_untagged: true }));
  if (runner !== undefined) known.runners.push(runner);
}

function changeRunner({ calls, random, pick, isHeads, next }: Stage) {
  const runner = pick.runners();
  const project = `/projects/${pick.projects()}/runners`;
  switch (random.below(5)) {
    case 0:
      return calls.put(`/runners/${runner}`, { description: `Machine ${next()}`, tag_list: ['a', 'b'] });
    case 1:
      return calls.put(`/runners/${runner}`, { active: isHeads(), maximum_timeout: 3600 });
    case 2:
      return calls.post(project, { runner_id: runner });
    case 3:
      return calls.delete(`${project}/${runner}`);
    default:
      return calls.delete(`/runners/${runner}`);
  }
}
