import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests of `npm run test:s3`. They are not part of `npm test`, because they need a server for S3. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    name: 's3',
    environment: 'node',
    include: ['tests/s3/**/*.test.ts'],
    globalSetup: ['tests/s3/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    expect: { poll: { timeout: 30_000 } },
  },
})
