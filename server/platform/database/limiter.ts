import { Refusal } from '#server/platform/refusal.ts'

type Line = { held: number; waiting: Set<() => void> }

/** How many turns are taken at the same time, and how many may wait for one. */
type Limits = { most: number; maxWaiting: number }

/** Lets each owner do only so much at a time. */
type Turns = {
  /** Takes a turn; answers a promise only when the owner must wait for it. Rejects when the asker leaves before it comes. */
  take: (owner: string, leaving: AbortSignal | undefined) => Promise<void> | undefined
  /** To be called once for each turn that was taken. */
  giveBack: (owner: string) => void
}

/** Whoever found the line full may come again after this time. */
const comeBackSeconds = 5

/**
 * At most `most` turns of one owner are taken at the same time; who comes later waits in order. Owners never wait for each other. What
 * waits keeps its request in memory, so that a line has an end: who finds `mostWaiting` in it is refused with `too_many_requests`.
 */
export function createLimiter({ most, maxWaiting }: Limits): Turns {
  const lines = new Map<string, Line>()
  return {
    take: (owner, leaving) => {
      const line = lines.get(owner)
      if (line && line.held >= most) {
        if (line.waiting.size >= maxWaiting) throw new Refusal('too_many_requests', { retry_after_seconds: comeBackSeconds })
        return wait(line, leaving)
      }
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

/** Does the work when its turn of this owner comes. Whoever leaves before gets none; later it is done to its end. */
export async function runLimited<T>(turns: Turns, owner: string, leaving: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  leaving?.throwIfAborted()
  const turn = turns.take(owner, leaving)
  if (turn) await turn
  try {
    return await work()
  } finally {
    turns.giveBack(owner)
  }
}

function wait({ waiting }: Line, leaving: AbortSignal | undefined): Promise<void> {
  return new Promise((comesUp, refuse) => {
    const leave = (): void => {
      waiting.delete(go)
      refuse(leaving?.reason)
    }
    const go = (): void => {
      waiting.delete(go)
      leaving?.removeEventListener('abort', leave)
      comesUp()
    }
    waiting.add(go)
    leaving?.addEventListener('abort', leave, { once: true })
  })
}
