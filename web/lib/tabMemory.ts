import type * as z from 'zod/mini'

const prefix = 'foyer'
let owner = ''

/** Sets the user whose values are stored from now on, and removes the values of other users. */
export function setTabMemoryOwner(userId: string): void {
  owner = userId
  removeWhere((key) => !key.startsWith(keyOf('')))
}

/** Stores a value in this tab. It survives a reload and the end of the session. Signing out removes it, because it may be personal. */
export function storeInTab(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(value))
  } catch {
    // storage is disabled or full; then a reload loses the value
  }
}

/** Returns the stored value; undefined when there is none or it does not match the schema. */
export function readFromTab<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | undefined {
  const stored = sessionStorage.getItem(keyOf(name))
  return stored === null ? undefined : schema.safeParse(parseJson(stored)).data
}

export function removeFromTab(name: string): void {
  sessionStorage.removeItem(keyOf(name))
}

/** Removes all values. Called at sign-out. */
export const clearTabMemory = (): void => removeWhere(() => true)

const keyOf = (name: string): string => `${prefix} ${owner} ${name}`

function removeWhere(matches: (key: string) => boolean): void {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(`${prefix} `))
  for (const key of keys) if (matches(key)) sessionStorage.removeItem(key)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
