import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['{contract,server,scripts}/**/*.test.ts'],
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
          sequence: { groupOrder: 1 }, // behind the others: one of them edits sources for a moment
          environment: 'node',
          include: ['tests/journeys/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'crash',
          sequence: { groupOrder: 2 }, // alone, so that the load on the machine is its own
          environment: 'node',
          include: ['tests/{crash,backup}/**/*.test.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
})
