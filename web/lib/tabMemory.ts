import type * as z from 'zod/mini'

const prefix = 'foyer'
let owner = ''

/** Sets the user whose values are stored from now on, and removes the values of other users. */
export function setTabMemoryOwner(userId: string): void {
  owner = userId
  removeWhere((key) => !key.startsWith(makeKey('')))
}

/** Stores a value in this tab. The value survives a reload and the end of the session. Sign-out removes it, because it may be personal. */
export function storeInTab(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(makeKey(name), JSON.stringify(value))
  } catch {
    // the storage is disabled or full: the value is not stored
  }
}

/** Returns the stored value; undefined when there is none or it does not match the schema. */
export function readFromTab<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | undefined {
  const json = sessionStorage.getItem(makeKey(name))
  return json === null ? undefined : schema.safeParse(parseJson(json)).data
}

export function removeFromTab(name: string): void {
  sessionStorage.removeItem(makeKey(name))
}

/** Removes the values of all users from this tab. Called at sign-out. */
export const clearTabMemory = (): void => removeWhere(() => true)

const makeKey = (name: string): string => `${prefix} ${owner} ${name}`

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
