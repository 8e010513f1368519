import { globSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { failedTests } from './scripts/failed-tests.ts'

/** This test edits source files, so no other test may run at the same time. */
const sourceEditingTest = 'tests/journeys/development.test.ts'
/** This test measures the memory of its process, so it needs a process of its own. */
const memoryTest = 'server/platform/memory.test.ts'
const webTests = ['web/**/*.test.{ts,tsx}']
const replacesModules = (test: string): boolean => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(test, 'utf8'))
/** These tests replace modules or test how a module is loaded, so each file gets modules of its own. */
const isolatedWebTests = [
  ...globSync(webTests).filter(replacesModules),
  'web/files/upload/restoreUploads.test.tsx',
  'web/ui/MenuButton.test.tsx',
  'web/ui/floating.test.tsx',
]

export default defineConfig({
  test: {
    reporters: ['default', failedTests],
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'server',
          // These tests wait for timers and disks a quarter of the time, so a third worker helps. They run when the journeys have ended,
          // which use both cores; with three workers for all projects, the tests of all projects took longer: 798 instead of 702 s.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['{contract,server,scripts}/**/*.test.ts'],
          exclude: [memoryTest],
          isolate: false, // the files of a worker share its process and its loaded modules, so that modules are not loaded again for each file
          globalSetup: ['server/testing/postgres.ts'],
          setupFiles: ['server/testing/drop-databases.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000, interval: 10 } },
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          include: webTests,
          exclude: isolatedWebTests,
          isolate: false, // loading React and Mantine again for each file takes half of the time
          environment: './web/testing-environment.ts',
          setupFiles: ['web/testing.ts'],
        },
      },
      {
        plugins: [react()],
        test: { name: 'isolated-web', include: isolatedWebTests, environment: 'happy-dom', setupFiles: ['web/testing.ts'] },
      },
      {
        test: {
          name: 'journeys',
          environment: 'node',
          include: ['tests/journeys/**/*.test.ts'],
          exclude: [sourceEditingTest],
          isolate: false, // to start a process and Playwright for each file would cost half a second of CPU time
          globalSetup: ['tests/journeys/setup.ts'],
          setupFiles: ['tests/journeys/newUser.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'crash',
          environment: 'node',
          include: [memoryTest, 'tests/{crash,backup}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'source',
          sequence: { groupOrder: 2 }, // runs when all other tests have ended
          environment: 'node',
          include: [sourceEditingTest],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
