import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,services,infra,tests,scripts,bench}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A machine with other work may take long; what never comes is still told before the test's own time is over.
    expect: { poll: { timeout: 20_000 } },
    // Two cores are the machine this is sized for; whole-system tests start real processes beside these.
    maxWorkers: 2,
  },
});
