import { fileRoutes } from '#contract/files.ts'
import { folderRoutes } from '#contract/folders.ts'
import { storageRoutes } from '#contract/storage.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import { firstRequestsOfList } from '#web/records/list/firstRequests.ts'
import { RowsSkeleton } from '#web/ui/PageSkeleton.tsx'
import { inFolder } from './kind/queries.ts'

/** What the Files screen shows before the application has started, and the requests whose responses the server puts into the document. */
export const filesSkeleton: ScreenSkeleton = {
  path: '/files',
  title: 'Files',
  tabs: ['All files', 'Recent'],
  searchLabel: 'Search files and what is in them',
  content: <RowsSkeleton />,
  firstRequests: () => [
    ...firstRequestsOfList(fileRoutes, { filter: inFolder(null) }),
    addressOf(folderRoutes.list, { query: {} }),
    addressOf(storageRoutes.get, {}),
  ],
}
