import type { Reporter } from 'vitest/node'

/** Prints the names of the failed tests as the last lines of a run. Their errors are above, and a long output is often cut at its start. */
export const failedTests: Reporter = {
  onTestRunEnd: (modules) => {
    for (const module of modules) {
      const tests = [...module.children.allTests('failed')].map((test) => test.fullName)
      const names = module.state() === 'failed' && tests.length === 0 ? ['(the file)'] : tests
      for (const name of names) console.log(`Failed: ${module.relativeModuleId} > ${name}`)
    }
  },
}
