import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Commits, createCommits } from './commits/commits.ts';
import { type Compiler, createCompiler } from './configuration/compiler.ts';
import { type ProjectConfigurations, projectConfigurations } from './configuration/project-configuration.ts';
import { createJobNews, type JobNews } from './job-logs/job-news.ts';
import { createJobQueue, type JobQueue } from './job-queue/job-queue.ts';
import { type PipelineCreation, pipelineCreation } from './pipelines/pipeline-creation.commands.ts';
import { createKnownRunners, type KnownRunners } from './runners/known-runners.ts';
import { createRunnerContacts, type RunnerContacts } from './runners/runner-contacts.ts';
import { createTokenGuesses, type TokenGuesses } from './runners/token-guesses.ts';

/** The ports of this service's slices, in addition to those of every service. */
export interface CiPorts extends ServicePorts {
  compiler: Compiler;
  configurations: ProjectConfigurations;
  pipelineCreation: PipelineCreation;
  commits: Commits;
  jobQueue: JobQueue;
  knownRunners: KnownRunners;
  runnerContacts: RunnerContacts;
  jobNews: JobNews;
  tokenGuesses: TokenGuesses;
}

/** Wires the ports; it starts nothing. */
export function createCiPorts(ports: ServicePorts): CiPorts {
  const compiler = createCompiler();
  const configurations = projectConfigurations({ ...ports, compiler });
  return {
    ...ports,
    compiler,
    configurations,
    pipelineCreation: pipelineCreation({ ...ports, configurations }),
    commits: createCommits(ports.operations),
    jobQueue: createJobQueue(ports),
    knownRunners: createKnownRunners(ports),
    runnerContacts: createRunnerContacts(ports.clock),
    jobNews: createJobNews(ports),
    tokenGuesses: createTokenGuesses(ports.log),
  };
}
