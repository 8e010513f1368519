import { expect, onTestFinished, test, vi } from 'vitest'
import type * as sdkModule from './sdk.ts'

const provider = '@ai-sdk/openai-compatible'

test('After the modules of the SDK could not be loaded, the next answer loads them again.', async () => {
  vi.doMock(provider, () => {
    throw new Error('The file cannot be read')
  })
  onTestFinished(() => vi.doUnmock(provider))
  // a copy of the module that has not loaded the SDK, because other files of this process may have loaded it
  const { loadSdk } = await vi.importActual<typeof sdkModule>('./sdk.ts?copy')
  await expect(loadSdk()).rejects.toMatchObject({ cause: { message: 'The file cannot be read' } })
  vi.doUnmock(provider)
  expect(await loadSdk()).toHaveProperty('createOpenAICompatible')
  expect(loadSdk()).toBe(loadSdk())
})
