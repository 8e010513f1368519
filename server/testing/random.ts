/** A generator of pseudo-random values, the same for the same seed, so that a failure can be reproduced. */
export type Random = {
  /** Returns a whole number from 0 to `count` - 1. */
  below: (count: number) => number
  chance: (share: number) => boolean
  pick: <T>(choices: readonly T[]) => T
  uuid: () => string
}

export function randomFrom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  const hex = (digits: number): string => Array.from({ length: digits }, () => below(16).toString(16)).join('')
  return {
    below,
    chance: (share) => next() < share,
    pick: (choices) => {
      const picked = choices[below(choices.length)]
      if (picked === undefined) throw new Error('The list of choices is empty')
      return picked
    },
    uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}
