import { expect, test } from 'vitest'
import { randomFrom } from '#server/testing/random.ts'
import { installProduct } from './product.ts'
import { signUpWriters } from './writers.ts'

test('a server that is stopped under load ends in order and at once, and keeps what it answered', { timeout: 60_000 }, async () => {
  await using product = await installProduct()
  await product.start()
  const writers = await signUpWriters(product.url, randomFrom(1))
  let answered = 0
  let stopped: Promise<number | null> | undefined
  let stoppedAt = 0
  await writers.writeUntilSilence(() => {
    if (++answered < 60) return
    stoppedAt ||= performance.now()
    stopped ??= product.stop()
  })
  expect(await stopped).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(5000)
  await product.start()
  await writers.repeatUnanswered()
  expect(await writers.found()).toEqual(writers.expected())
})
