// npm run test:s3: tests the storage and the files of the product on a real S3 server. The settings FOYER_S3_... name the server; without
// them the server of Ceph is used, if Ceph is installed. --download first downloads Ceph. All other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { readConfigFromEnvironment } from '#server/config.ts'
import { downloadCeph, findCeph, installAdvice } from '../tests/s3/ceph.ts'

const options = process.argv.slice(2)
const isConfigured = 's3' in readConfigFromEnvironment().storage
if (options.includes('--download') && findCeph() === undefined) downloadCeph()
if (!isConfigured && findCeph() === undefined) {
  console.log(`Skipped. ${installAdvice}`)
  process.exit(0)
}
const vitestOptions = options.filter((option) => option !== '--download')
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/s3/vitest.config.ts', ...vitestOptions],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
