export type Bell = {
  ring: () => void
  /** Ends with the next ring or after this time; at once if it has rung since the last wait. */
  wait: (longestMs: number) => Promise<void>
}

/** Wakes one sleeper. A ring that nobody waits for is kept. */
export function createBell(): Bell {
  let rung = false
  let wake = (): void => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    wait: async (longestMs) => {
      if (!rung) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, longestMs)
          wake = () => {
            clearTimeout(timer)
            done()
          }
        })
      }
      rung = false
    },
  }
}
