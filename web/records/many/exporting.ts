import { callForFile } from '#web/lib/client.ts'
import { capitalised } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import type { Chosen } from './chosen.ts'
import type { ListRoutes } from '#web/records/list/listKind.ts'
import type { Narrowing } from '#web/records/list/listSearch.ts'

/** What exporting must know of a kind of record; a list's kind knows it. */
export type ExportableKind = { plural: string; routes: Pick<ListRoutes<unknown>, 'export' | 'exportCards'> }

/** Saves records as CSV, a line each, sorted as the list is. */
export const exportTable = ({ plural, routes }: ExportableKind, chosen: Chosen, { sort, order }: Pick<Narrowing, 'sort' | 'order'>) =>
  saved(plural, callForFile(routes.export, { body: { ...chosen, sort, order } }))

/** Saves contacts as vCards, for address books. */
export async function exportCards({ plural, routes }: ExportableKind, chosen: Chosen): Promise<void> {
  if (routes.exportCards) await saved(plural, callForFile(routes.exportCards, { body: chosen }))
}

async function saved(plural: string, file: ReturnType<typeof callForFile>): Promise<void> {
  try {
    const { name, content } = await file
    download(name, content)
    toast({ kind: 'success', title: `${capitalised(plural)} exported`, message: name })
  } catch (error) {
    toastError(error)
  }
}

const keptMs = 60_000 // some browsers read it only after they have asked where to put it

function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
