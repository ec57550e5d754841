import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

export default defineConfig({
  test: {
    include: ['{packages,services,infra,tests,scripts,bench}/**/*.test.ts'],
    // A machine with other work may take long; what never comes is still told before the test's own time is over.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Two cores are the machine this is sized for; whole-system tests start real processes beside these.
    maxWorkers: 2,
    // A worker loads the product's modules once for all its files: no module keeps a state that a test could meet.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    // Node strips the types, as in production, and keeps what it compiled (scripts/run.mjs). There is no `vi.mock`.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
