import * as z from 'zod/mini'
import { ContactValues } from './contactValues.ts'

/** What was typed, and what it was typed over. */
const Draft = z.object({ base: ContactValues, version: z.int(), values: ContactValues })
export type Draft = z.infer<typeof Draft>

/**
 * Keeps what is typed while it is not saved, in this tab only, so that a reload or an ended session loses nothing.
 * `name` tells whose and of what it is.
 */
export function keepDraft(name: string, draft: Draft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft))
  } catch {
    // a browser that keeps nothing keeps no drafts
  }
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(name)
}

export function findDraft(name: string): Draft | undefined {
  const kept = sessionStorage.getItem(name)
  return kept === null ? undefined : Draft.safeParse(JSON.parse(kept)).data
}
