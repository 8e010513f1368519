import { queryOptions } from '@tanstack/react-query'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { viewRoutes, type View } from '#contract/views.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { toListParameters, parseListParameters, toListSettings, type ListSettings } from '#web/records/address/listSettings.ts'

const table = 'views'

/** Loads the saved views of all lists. */
export const viewsQuery = queryOptions({
  queryKey: [table],
  meta: { tables: [table] }, // a change in this table refetches the query
  queryFn: ({ signal }) => call(viewRoutes.list, {}, { signal }),
})

/** The parts of a record kind that views use. A tab that shows a part of a list has a kind of its own; `wholeListKind` is that of the list. */
export type ViewedKind = Pick<RecordKind<{ id: string }>, 'plural' | 'sorts' | 'defaultSort' | 'filters' | 'wholeListKind'>

/** Formats list settings as the query string that a view stores, without the question mark. It is the same in all tabs of a list. */
export const formatViewAddress = (kind: ViewedKind, settings: ListSettings): string => formatAddress(kind.wholeListKind ?? kind, settings)

/** Parses the list settings of a view. Drops sorts and conditions that the list no longer has. */
export const parseViewSettings = (kind: ViewedKind, { address }: Pick<View, 'address'>): ListSettings =>
  toListSettings(kind.wholeListKind ?? kind, parseListParameters(defaultParseSearch(`?${address}`)))

/** Whether a list has settings that a view can keep. The default sort of the open tab, or of the whole list, is not such a setting. */
export const hasOwnSettings = (kind: ViewedKind, settings: ListSettings): boolean =>
  formatAddress(kind, settings) !== emptyAddress && formatViewAddress(kind, settings) !== emptyAddress

/** The address of a list without search text, filters, own sort and own columns. A tab of the page can still limit its rows. */
export const emptyAddress = ''

const formatAddress = (kind: Pick<ViewedKind, 'defaultSort'>, settings: ListSettings): string =>
  defaultStringifySearch(toListParameters(kind, settings)).slice(1)

/** Saves list settings as a view. Replaces an existing view with the same name. Throws a `ProblemError`. */
export async function saveView(kind: ViewedKind, name: string, settings: ListSettings): Promise<void> {
  const { changeId } = await callForChange(viewRoutes.create, {
    body: { list: kind.plural, name, address: formatViewAddress(kind, settings) },
  })
  await announceChange('View saved', changeId)
}

/** Renames a view. Throws a `ProblemError`: `invalid` if another view has the name. */
export async function renameView(id: string, name: string): Promise<void> {
  const { changeId } = await callForChange(viewRoutes.update, { params: { id }, body: { name } })
  await announceChange('View renamed', changeId)
}

/** Replaces the list settings of a view. Shows the result or the error in a toast. */
export async function updateView(id: string, kind: ViewedKind, settings: ListSettings): Promise<void> {
  try {
    const { changeId } = await callForChange(viewRoutes.update, { params: { id }, body: { address: formatViewAddress(kind, settings) } })
    await announceChange('View updated', changeId)
  } catch (error) {
    toastError(error)
  }
}

/** Deletes a view. Shows the result or the error in a toast. */
export async function deleteView(id: string): Promise<void> {
  try {
    const { changeId } = await callForChange(viewRoutes.delete, { params: { id } })
    await announceChange('View deleted', changeId)
  } catch (error) {
    toastError(error)
  }
}

/** Shows a toast with Undo, and refetches the views. */
function announceChange(title: string, changeId: string | undefined): Promise<void> {
  toastChange(title, changeId)
  return refreshTables([table])
}
