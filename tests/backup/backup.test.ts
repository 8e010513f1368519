import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '#server/testing/random.ts'
import { installProduct } from '../product.ts'
import { signUpWriters } from '../crash/writers.ts'

test(
  'a backup of a running installation can be restored into an empty installation, but not into one that has users or is running',
  { timeout: 120_000 },
  async () => {
    await using first = await installProduct()
    await using second = await installProduct()
    await first.start()
    const writers = await signUpWriters(first.url, createRandom(1))
    let responseCount = 0
    await writers.sendWrites(() => ++responseCount >= 60) // stops after 60 responses
    mkdirSync(join(first.folder, 'files'))
    writeFileSync(join(first.folder, 'files/photo'), 'a photo')
    const file = join(first.folder, '../foyer.backup')
    expect(first.run('scripts/backup.ts', file)).toEqual({ code: 0, output: expect.stringMatching(/^\S+foyer\.backup holds \d+ rows in /) })

    expect(second.run('scripts/restore.ts', file)).toEqual({
      code: 0,
      output: expect.stringMatching(/^\d+ rows are restored\. Start Foyer/),
    })
    expect(readFileSync(join(second.folder, 'files/photo'), 'utf8')).toBe('a photo')
    const secondRestore = second.run('scripts/restore.ts', file)
    expect(secondRestore).toEqual({ code: 1, output: expect.stringMatching(/^This installation already has users.*\n$/) })
    await second.start()
    expect(await writers.readStored(second.url)).toEqual(writers.getExpected())
    const restoreWhileRunning = second.run('scripts/restore.ts', file)
    expect(restoreWhileRunning).toEqual({ code: 1, output: expect.stringMatching(/^The data folder \S+ is in use by the Foyer at .*\n$/) })
    expect(await second.stop()).toBe(0)
  },
)
