// The global set-up of the tests with S3: the tests receive the settings of the store with `inject('s3')`.
import type { TestProject } from 'vitest/node'
import { readConfigFromEnvironment } from '#server/config.ts'
import type { S3Settings } from '#server/platform/storage/s3-requests.ts'
import { findCeph, installAdvice, startCeph } from './ceph.ts'

declare module 'vitest' {
  interface ProvidedContext {
    s3: S3Settings
  }
}

/** Provides the store of the settings `FOYER_S3_...`. Without them it starts a server of Ceph, and returns the function that stops it. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { storage } = readConfigFromEnvironment()
  if ('s3' in storage) {
    provide('s3', { ...storage.s3, secretAccessKey: storage.s3.secretAccessKey.reveal() })
    console.log(`Testing the bucket ${storage.s3.bucket} at ${storage.s3.endpoint}`)
    return undefined
  }
  const root = findCeph()
  if (root === undefined) throw new Error(installAdvice)
  const ceph = await startCeph(root)
  console.log(`Testing ${ceph.version}`)
  provide('s3', ceph.settings)
  return async () => ceph[Symbol.asyncDispose]()
}
