type Line = { held: number; waiting: Set<() => void> }

/** Lets each owner do only so much at a time. */
type Turns = {
  /** Takes a turn; answers a promise only when the owner must wait for it. Rejects when the asker leaves before it comes. */
  take: (owner: string, signal: AbortSignal | undefined) => Promise<void> | undefined
  /** To be called once for each turn that was taken. */
  giveBack: (owner: string) => void
}

/** At most `most` turns of one owner are taken at the same time; who comes later waits in order. Owners never wait for each other. */
export function createTurns(most: number): Turns {
  const lines = new Map<string, Line>()
  return {
    take: (owner, signal) => {
      const line = lines.get(owner)
      if (line && line.held >= most) return wait(line, signal)
      if (line) line.held++
      else lines.set(owner, { held: 1, waiting: new Set() })
      return undefined
    },
    giveBack: (owner) => {
      const line = lines.get(owner)
      if (!line) return
      const [next] = line.waiting
      if (next) next() // the turn passes on
      else if (--line.held === 0) lines.delete(owner)
    },
  }
}

/** Does the work when its turn of this owner comes. */
export async function inTurn<T>(turns: Turns, owner: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const turn = turns.take(owner, signal)
  if (turn) await turn
  try {
    return await work()
  } finally {
    turns.giveBack(owner)
  }
}

function wait({ waiting }: Line, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((comesUp, refuse) => {
    if (signal?.aborted) return refuse(signal.reason)
    const leave = (): void => {
      waiting.delete(go)
      refuse(signal?.reason)
    }
    const go = (): void => {
      waiting.delete(go)
      signal?.removeEventListener('abort', leave)
      comesUp()
    }
    waiting.add(go)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
