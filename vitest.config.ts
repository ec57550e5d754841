import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,services,infra,tests,scripts,bench}/**/*.test.ts'],
    // A machine with other work may take long; what never comes is still told before the test's own time is over.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Two cores are the machine this is sized for; whole-system tests start real processes beside these.
    maxWorkers: 2,
  },
});
