import { defaultStringifySearch } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { Reference } from '#contract/assistant.ts'
import { kindNames, recordKinds, type KindName } from '#contract/kinds.ts'
import { Condition } from '#contract/lists.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { getListAddress } from '../panel/openContext.ts'

const scheme = 'foyer:'

/** A record or a list that an answer links to. */
export type LinkTarget = { type: 'record'; kind: KindName; id: string } | { type: 'list'; address: string }

export const isRecordLink = (href: string): boolean => href.startsWith(scheme)

/**
 * Parses the address of a record or a list: `foyer:deal/ID`, `foyer:deals?search=oak&filter=[...]`. Returns undefined for anything else, so
 * that a link never leads to a place that its text does not name.
 */
export function parseRecordLink(href: string): LinkTarget | undefined {
  const [path = '', query = ''] = href.slice(scheme.length).split(/\?(.*)/s)
  const [name = '', id, ...rest] = path.replaceAll(/^\/+|\/+$/g, '').split('/')
  const kind = kindNames.find((each) => each.replaceAll(' ', '-') === name || recordKinds[each].plural === name)
  if (!kind || rest.length > 0) return undefined
  if (id === undefined) return toListTarget(kind, query)
  return z.safeParse(z.uuid(), id).success ? { type: 'record', kind, id } : undefined
}

function toListTarget(kindName: KindName, query: string): LinkTarget | undefined {
  const parameters = new URLSearchParams(query)
  const filter = parseFilter(parameters.get('filter'))
  return filter && makeListTarget({ kind: kindName, search: parameters.get('search') ?? '', filter })
}

/** Returns the link to a list with a search and a filter; undefined for kinds without a list. */
export function makeListTarget({ kind, search, filter }: { kind: KindName; search: string; filter: unknown[] }): LinkTarget | undefined {
  const kindDisplay = findKindDisplay(kind)
  const address = kindDisplay && getListAddress(kindDisplay)
  if (address === undefined) return undefined
  const parameters = { ...(search.trim() !== '' && { search }), ...(filter.length > 0 && { filter }) }
  return { type: 'list', address: `${address}${defaultStringifySearch(parameters)}` }
}

/** Returns undefined if the filter cannot be read: without it, the list would show other records than the answer speaks of. */
function parseFilter(json: string | null): Condition[] | undefined {
  if (json === null || json === '') return []
  try {
    return z.safeParse(z.array(Condition), JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** Finds the titles of records in a text. */
export type TitleFinder = (text: string) => (string | Reference)[]

const minTitleLength = 3
/** The characters that have a meaning in a regular expression. */
const regexMarks = /[\\^$.*+?()[\]{}|/]/g

/**
 * Returns a function that splits a text at the titles of these records, the longest title first. A title that two records have is not
 * found, because the text does not say which one it means.
 */
export function createTitleFinder(references: readonly Reference[]): TitleFinder {
  const byTitle = Map.groupBy(references, ({ title }) => title.trim())
  const unique = new Map<string, Reference>()
  for (const [title, [reference, ...others]] of byTitle)
    if (reference && title.length >= minTitleLength && others.every(({ id }) => id === reference.id)) unique.set(title, reference)
  if (unique.size === 0) return (text) => [text]
  const titles = [...unique.keys()].toSorted((one, other) => other.length - one.length).map((title) => title.replaceAll(regexMarks, '\\$&'))
  // a title is a whole word: no letter or digit is before or after it
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${titles.join('|')})(?![\\p{L}\\p{N}])`, 'u')
  return (text) => text.split(pattern).map((part, index) => (index % 2 === 1 ? (unique.get(part) ?? part) : part))
}
