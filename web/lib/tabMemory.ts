import type * as z from 'zod/mini'

const house = 'foyer'
let owner = ''

/** From now on this tab keeps things for this person. What it still kept for somebody else goes. */
export function setTabMemoryOwner(userId: string): void {
  owner = userId
  forgetWhere((key) => !key.startsWith(keyOf('')))
}

/** Keeps a value in this tab, so that a reload or an ended session does not lose it. It may hold personal data: signing out forgets it. */
export function keepInTab(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(value))
  } catch {
    // a browser that keeps nothing, or is full
  }
}

/** What was kept under this name; undefined without any, or when it cannot be read as that. */
export function findInTab<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | undefined {
  const kept = sessionStorage.getItem(keyOf(name))
  return kept === null ? undefined : schema.safeParse(parsed(kept)).data
}

export function dropFromTab(name: string): void {
  sessionStorage.removeItem(keyOf(name))
}

/** Forgets everything, for signing out. */
export const forgetTabMemory = (): void => forgetWhere(() => true)

const keyOf = (name: string): string => `${house} ${owner} ${name}`

function forgetWhere(matches: (key: string) => boolean): void {
  const ours = Object.keys(sessionStorage).filter((key) => key.startsWith(`${house} `))
  for (const key of ours) if (matches(key)) sessionStorage.removeItem(key)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
