import * as z from 'zod/mini'
import { Condition } from '#contract/lists.ts'
import { featureRegistry, type KindDisplay } from '#web/lib/features.ts'
import type { OpenContext } from '../answers/send.ts'

type Location = { pathname: string; search: { search?: unknown; filter?: unknown } }

/** A UUID. */
const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** Returns the record or the list that an address shows, so that the assistant knows what the user sees. */
export function findOpenContext({ pathname, search }: Location): OpenContext {
  const kinds = featureRegistry.get().records
  const id = idPattern.exec(pathname)?.[0]
  const open = id === undefined ? undefined : kinds.find((kind) => isAt(pathname, kind.addressOf({ id })))
  if (open && id !== undefined) return { open_record: { kind: open.singular, id } }
  const listed = kinds.find((kind) => getListAddress(kind) === pathname)
  if (!listed) return {}
  const text = z.safeParse(z.union([z.string(), z.number()]), search.search).data ?? ''
  const filter = z.safeParse(z.array(Condition), search.filter).data ?? []
  return { open_list: { kind: listed.singular, search: String(text), filter } }
}

/** The address of a list, whose records have the same address followed by their id; undefined for kinds without a list. */
export const getListAddress = (kind: KindDisplay): string | undefined => kind.listAddress ?? kind.addressOf({ id: '' })?.replace(/\/$/, '')

const isAt = (pathname: string, address: string | undefined): boolean =>
  address !== undefined && (pathname === address || pathname.startsWith(`${address}/`))
