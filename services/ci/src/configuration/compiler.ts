import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { Piscina } from 'piscina';
import type { Compilation, CompilationTask, Sources } from './compilation.ts';
import { answerCalls } from './thread-calls.ts';
import { createTurns } from './turns.ts';

export interface Compiler extends Pick<Worker, 'stop'> {
  /**
   * Compiles in a thread. The text can neither block the process nor exhaust its memory: what takes too much is an error
   * of the configuration.
   * @param owner whose turn it is: a user's compilations run one after the other
   * @throws what a source throws; Rejection `too_many_requests` where too many of the owner's wait
   */
  compile(task: CompilationTask, sources: Sources, owner: number | null): Promise<Compilation>;
}

interface CompilerOptions {
  deadlineMs: number;
  megabytes: number;
}

const DEFAULTS: CompilerOptions = { deadlineMs: 30_000, megabytes: 512 };
const IDLE_MS = 60_000;
const MAX_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
const RETRY_S = 5;

export function createCompiler(options: Partial<CompilerOptions> = {}): Compiler {
  const { deadlineMs, megabytes } = { ...DEFAULTS, ...options };
  const turns = createTurns(MAX_THREADS);
  let pool: Piscina | undefined;
  // Threads start with the first configuration: many processes never compile one.
  const threads = () => {
    pool ??= new Piscina({
      filename: fileURLToPath(new URL('./compilation-thread.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: MAX_THREADS,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Settings of the server are no business of a configuration.
      env: {},
      atomics: 'disabled',
    });
    return pool;
  };

  async function run(task: CompilationTask, sources: Sources): Promise<Compilation> {
    const { port1: own, port2: theirs } = new MessageChannel();
    const calls = answerCalls<Sources>(own, sources);
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      const message: CompilationTask & { port: MessagePort } = { ...task, port: theirs };
      return await threads().run(message, { transferList: [theirs], signal: deadline });
    } catch (error) {
      if (calls.failure) throw calls.failure.error;
      if (deadline.aborted && calls.open > 0)
        throw unavailable('files of the configuration did not arrive in time', RETRY_S);
      if (deadline.aborted)
        return failed(`The configuration is too complex: reading it took more than ${deadlineMs / 1000} s`);
      if (isOutOfMemory(error))
        return failed('The configuration is too complex: reading it takes too much memory');
      throw error;
    } finally {
      own.close();
    }
  }

  return {
    compile: (task, sources, owner) => turns.of(owner, () => run(task, sources)),
    async stop() {
      await pool?.destroy();
      pool = undefined;
    },
  };
}

const isOutOfMemory = (error: unknown) =>
  (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

const failed = (error: string): Compilation => ({
  errors: [error],
  warnings: [],
  mergedYaml: null,
  pipeline: null,
  hasNoJobs: false,
});
