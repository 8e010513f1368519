// The environment of the tests in web/: one window of happy-dom for all test files of a worker. The modules of the application are loaded
// once for a worker, and some of them listen to the window from then on.
import { builtinEnvironments, type Environment } from 'vitest/runtime'

const happyDom = builtinEnvironments['happy-dom']
let opened: Promise<unknown> | undefined

// oxlint-disable-next-line import/no-default-export -- Vitest reads the default export
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    opened ??= Promise.resolve(happyDom.setup(global, options))
    await opened
    return { teardown() {} }
  },
} satisfies Environment
