import type { Calls } from '../calls.ts';
import { createEnvironment, createPeriod, deploymentCommands } from './deployment.commands.ts';
import { issueCommands, openIssue } from './issue.commands.ts';
import { createGroup, createUser, peopleCommands } from './people.commands.ts';
import { createProject, projectCommands } from './project.commands.ts';
import { createRunner, runnerCommands } from './runner.commands.ts';
import { type Command, createStage } from './stage.ts';

const commands = [
  ...peopleCommands,
  ...projectCommands,
  ...issueCommands,
  ...deploymentCommands,
  ...runnerCommands,
];
const total = commands.reduce((sum, [weight]) => sum + weight, 0);

function drawn(ticket: number): Command {
  let passed = 0;
  return commands.find(([weight]) => {
    passed += weight;
    return ticket < passed;
  })![1];
}

/** Random commands on an instance, the same for each seed. */
export function createSeason(calls: Calls, seed: number, now: () => Date) {
  const stage = createStage(calls, seed, now);
  const { known, random } = stage;
  return {
    /** What every later command needs; they may be refused, like those of people. */
    async begin(): Promise<void> {
      for (let count = 0; count < 4; count += 1) await createUser(stage);
      for (let count = 0; count < 3; count += 1) await createGroup(stage);
      while (known.projects.length < 3) await createProject(stage);
      while (known.issues.length < 3) await openIssue(stage);
      while (known.environments.length === 0) await createEnvironment(stage);
      while (known.periods.length === 0) await createPeriod(stage);
      while (known.runners.length === 0) await createRunner(stage);
    },
    async run(count: number): Promise<void> {
      for (let done = 0; done < count; done += 1) {
        await drawn(random.below(total))(stage);
        // A list that has become empty leaves the next command nothing to choose from.
        while (known.issues.length === 0) await createProject(stage).then(() => openIssue(stage));
      }
    },
  };
}
