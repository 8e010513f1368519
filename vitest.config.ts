import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const editsSources = 'tests/journeys/development.test.ts'
const measuresMemory = 'server/platform/memory.test.ts'

export default defineConfig({
  test: {
    maxWorkers: '100%', // of the cores; without it one stands idle
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['{contract,server,scripts}/**/*.test.ts'],
          exclude: [measuresMemory],
          isolate: false, // files of one worker share its process and modules, which saves loading them for each file
          globalSetup: ['server/testing/postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        plugins: [react()],
        test: { name: 'web', environment: 'happy-dom', include: ['web/**/*.test.{ts,tsx}'], setupFiles: ['web/testing.ts'] },
      },
      {
        test: {
          name: 'journeys',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['tests/journeys/**/*.test.ts'],
          exclude: [editsSources],
          globalSetup: ['tests/journeys/setup.ts'],
          maxWorkers: 2, // more would make pages slow enough for time limits to fail
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'alone', // one file edits sources for a moment, the others use all cores
          sequence: { groupOrder: 2 },
          environment: 'node',
          include: [editsSources, measuresMemory, 'tests/{crash,backup}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
          fileParallelism: false,
        },
      },
    ],
  },
})
