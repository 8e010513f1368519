// Files: a drive with folders, in which files are uploaded, found, moved and downloaded.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconFile, IconFolder } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { parseListParameters, type ListParameters } from '#web/records/address/listSettings.ts'
import { parsePreviewParameters } from './preview/previewLink.ts'
import { UploadLayerSlot } from './upload/UploadLayerSlot.tsx'
import { filesEntry } from './sidebar.ts'

/** With `in=folder`, a search reads only the folder and those below it. */
const parseFileListParameters = (parameters: Record<string, unknown>): ListParameters & { in?: 'folder' | undefined } => ({
  ...parseListParameters(parameters),
  ...(parameters['in'] === 'folder' && { in: 'folder' as const }),
})

const rootFolder = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/files',
  validateSearch: parseFileListParameters,
  component: lazyRouteComponent(() => import('./FilesPage.tsx'), 'RootFolderPage'),
})
const recent = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/files/recent',
  validateSearch: parseFileListParameters,
  component: lazyRouteComponent(() => import('./FilesPage.tsx'), 'RecentFilesPage'),
})
const folder = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/files/folder/$folderId',
  validateSearch: parseFileListParameters,
  component: lazyRouteComponent(() => import('./FilesPage.tsx'), 'FolderPage'),
})
const file = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/files/file/$fileId',
  validateSearch: parsePreviewParameters,
  component: lazyRouteComponent(() => import('./preview/FilePage.tsx'), 'FilePage'),
})

export const files = defineFeature({
  layer: UploadLayerSlot,
  signedInRoutes: [rootFolder, recent, folder, file],
  sidebar: filesEntry,
  actions: [{ label: 'Recent files', address: '/files/recent', icon: IconFile, isPage: true }],
  records: [
    // "File in Offers" for a file in the folder Offers, and "Files" for the place of a record without a folder
    { ...recordKinds.folder, icon: IconFolder, addressOf: ({ id }) => `/files/folder/${id}`, preposition: 'in', rootLabel: 'Files' },
    {
      ...recordKinds.file,
      icon: IconFile,
      addressOf: ({ id }) => `/files/file/${id}`,
      listAddress: '/files',
      addressOfText: (id, search) => `/files/file/${id}?find=${encodeURIComponent(search)}`,
      rootLabel: 'Files',
      creationText: 'uploaded',
      describeChange: ({ name }) => (name === 'file_name' ? 'renamed' : undefined),
    },
  ],
  contactTab: {
    name: 'attachments',
    label: 'Attachments',
    position: 1,
    Tab: lazyRouteComponent(() => import('./attachments/AttachmentsTab.tsx'), 'AttachmentsTab'),
    Frame: lazyRouteComponent(() => import('./attachments/ContactFrame.tsx'), 'ContactFrame'),
    Count: lazyRouteComponent(() => import('./attachments/AttachmentsTab.tsx'), 'AttachmentsCount'),
  },
})
