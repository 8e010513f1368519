/** A generator of pseudo-random values. The same seed gives the same values, so that a failure can be reproduced. */
export type Random = {
  /** Returns a whole number from 0 to `count` - 1. */
  below: (count: number) => number
  /** Returns true with this probability, from 0 to 1. */
  hasChance: (probability: number) => boolean
  pick: <T>(choices: readonly T[]) => T
  uuid: () => string
}

/** Creates a generator with the algorithm xorshift32. The multiplication gives similar seeds different first values. */
export function createRandom(seed: number): Random {
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
    hasChance: (probability) => next() < probability,
    pick: (choices) => {
      const choice = choices[below(choices.length)]
      if (choice === undefined) throw new Error('The list of choices is empty')
      return choice
    },
    uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}
