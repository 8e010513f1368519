// Files: folders, the files in them and on contacts, and their upload and download.
import { analysisFunctionRoutes, imageFunctionRoutes } from '#contract/aiFunctions.ts'
import { fileRoutes, type File, type FileRow } from '#contract/files.ts'
import { fileSelectionRoutes } from '#contract/fileSelection.ts'
import { folderRoutes, type Folder } from '#contract/folders.ts'
import type { Condition } from '#contract/lists.ts'
import { storageRoutes } from '#contract/storage.ts'
import { fileFunctionRoutes, uploadRoutes } from '#contract/uploads.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { createRecordHandlers, createSumHandlers } from '#server/platform/records/handlers.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { createSigner } from '#server/platform/security/signer.ts'
import { readChecksum } from './files.store.ts'
import { files, folders } from './kind.ts'
import { countSelection, deleteSelection, moveSelection } from './selection.ts'
import { analyzeFile } from './analysis/analyze.ts'
import { createLink, openContent, openLink, openThumbnail } from './content/content.ts'
import { createFolderPaths } from './folders/folder-paths.ts'
import { addPaths } from './folders/folder-tree.ts'
import { readFolderPath, readFolders } from './folders/folders.store.ts'
import { makePicture, readPicture } from './pictures/make-picture.ts'
import { addMissingHashJobs, createBytesJobHandlers } from './storage/bytes.job.ts'
import { listFileChecks } from './storage/checks.ts'
import { deleteExpiredUploads, deleteExpiredZips, deleteUnneededObjects } from './storage/cleaning.store.ts'
import { readStorageUse } from './storage/storage-use.ts'
import { addMissingTextJobs } from './text/missing.store.ts'
import { createTextJobHandler } from './text/text.job.ts'
import { readText } from './text/text.store.ts'
import { uploadEncoded } from './uploads/legacy-upload.ts'
import { startUpload } from './uploads/start.ts'
import { findTakenNames } from './uploads/taken-names.ts'
import { readOpenUploads, readUpload } from './uploads/uploads.store.ts'
import { uploadWhole } from './uploads/whole.ts'
import { cancelUpload, finishUpload, writePart } from './uploads/uploads.ts'
import { listTakeoutFiles } from './zip/takeout-files.ts'
import { openZip, prepareZip } from './zip/zip.ts'

/** For the features that show files to a model, and add files that a model has made. */
export { readPictureForModel } from './pictures/model-picture.ts'
export { readText as readFileText } from './text/text.store.ts'
export { uploadBytes } from './uploads/bytes.ts'
/** For the features that store bytes outside of the files of the user. */
export { deleteObject, openObject, storeObject, type ReadObject } from './uploads/store-object.ts'
export { withStorageErrors } from './storage/storage-errors.ts'
/** For the features that have files in the download of everything. */
export { listStoredFiles } from './zip/takeout-files.ts'
export { cleanZipName } from './zip/zip-names.ts'
export type { ZipFile, ZipFolder } from './zip/zip.store.ts'

/** Returns a file. Must be called inside `read` or `transaction`. Throws `not_found`. */
export const readFile = (owner: string, id: string): Promise<File> => readRecord<File>(files, owner, id)

const daySeconds = 24 * 60 * 60

export const fileFeature: Feature = {
  kinds: [folders, files],
  webScreens: [{ path: '/files', module: 'web/files/FilesPage.tsx' }],
  mount: (router, context) => {
    mountFolders(router, context)
    mountFiles(router, context)
    mountUploads(router, context)
    mountAiFunctions(router, context)
  },
  checks: listFileChecks,
  jobs: (context) => [...createBytesJobHandlers(context), createTextJobHandler(context)],
  listTakeoutFiles,
  schedules: (tableOwner, now) => [
    { name: 'expired uploads', everySeconds: daySeconds, run: () => deleteExpiredUploads(tableOwner, now()) },
    { name: 'expired zips', everySeconds: daySeconds, run: () => deleteExpiredZips(tableOwner, now()) },
    { name: 'texts of files', everySeconds: daySeconds, run: (signal) => addMissingTextJobs(tableOwner, now(), signal) },
    { name: 'hashes of files', everySeconds: daySeconds, run: () => addMissingHashJobs(tableOwner, now()) },
    { name: 'unneeded stored objects', everySeconds: daySeconds, run: () => deleteUnneededObjects(tableOwner, now()) },
  ],
}

function mountFolders(router: Router, context: AppContext): void {
  const { database, now } = context
  const { get, create, update, delete: deleteFolder } = createRecordHandlers<Folder, Folder>(folders, context)
  mount(router, folderRoutes, {
    list: ({ caller, query }) => database.read(caller, () => readFolders(caller.owner, query, now())),
    get,
    path: async ({ caller, params }) => ({ rows: await database.read(caller, () => readFolderPath(caller.owner, params.id)) }),
    create,
    createPaths: async ({ caller, body }) => ({ rows: await createFolderPaths(context, caller, body) }),
    update,
    delete: deleteFolder,
  })
}

function mountFiles(router: Router, context: AppContext): void {
  const signer = createSigner(context.installationKey, 'links to files')
  const { create: _, ...handlers } = createRecordHandlers<File, FileRow>(files, context) // uploads create the files
  mount(router, fileRoutes, {
    ...handlers,
    ...createSumHandlers(files, context),
    list: ({ caller, query }) =>
      context.database.read(caller, async () => {
        const { rows, next } = await handlers.list({ caller, query })
        return { rows: isOnePlace(query.filter) ? rows : await addPaths(caller.owner, rows, ({ folder_id }) => folder_id), next }
      }),
    takenNames: async ({ caller, body }) => ({ rows: await context.database.read(caller, () => findTakenNames(caller.owner, body)) }),
    content: ({ caller, params, query }) => openContent(context, caller, params.id, query.disposition),
    checksum: ({ caller, params }) => context.database.read(caller, () => readChecksum(caller.owner, params.id)),
    text: ({ caller, params }) => context.database.read(caller, () => readText(caller.owner, params.id)),
    thumbnail: ({ caller, params }) => openThumbnail(context, caller, params.id),
    link: ({ params }) => openLink(context, signer, params.token),
  })
  mount(router, fileSelectionRoutes, {
    count: ({ caller, body }) => countSelection(context, caller, body.matching),
    move: ({ caller, body }) => moveSelection(context, caller, body),
    delete: ({ caller, body }) => deleteSelection(context, caller, body),
    prepareZip: ({ caller, body }) => prepareZip(context, caller, body),
    zip: ({ caller, params }) => openZip(context, caller, params.id),
  })
  mount(router, storageRoutes, {
    get: ({ caller }) => context.database.read(caller, () => readStorageUse(caller.owner, context.settings)),
  })
  mount(router, fileFunctionRoutes, {
    uploadToS3: async ({ caller, body }) => {
      await uploadEncoded(context, caller, body)
      return { success: true }
    },
    downloadFromS3: async ({ caller, body }) => ({
      url: await createLink(context, signer, caller, body.s3Key ?? body.storagePath ?? ''),
    }),
  })
}

/** Returns true when all files that match the conditions are in the same folder, in the root folder or on the same contact. */
function isOnePlace(filter: readonly Condition[]): boolean {
  const isEmpty = (name: string): boolean => filter.some(({ field, empty }) => field === name && empty === true)
  const hasOneId = filter.some(({ field, is }) => (field === 'folder_id' || field === 'contact_id') && is?.length === 1)
  return hasOneId || (isEmpty('folder_id') && isEmpty('contact_id'))
}

function mountUploads(router: Router, context: AppContext): void {
  const { database } = context
  mount(router, uploadRoutes, {
    list: async ({ caller }) => ({ rows: await database.read(caller, () => readOpenUploads(caller.owner)) }),
    get: ({ caller, params }) => database.read(caller, () => readUpload(caller.owner, params.id)),
    create: ({ caller, body }) => startUpload(context, caller, body),
    sendWhole: ({ caller, query, body, signal }) => uploadWhole(context, caller, { file: query, body, signal }),
    writePart: ({ caller, params, body, signal }) => writePart(context, caller, { ...params, body, signal }),
    finish: ({ caller, params }) => finishUpload(context, caller, params.id),
    cancel: ({ caller, params }) => cancelUpload(context, caller, params.id),
  })
}

function mountAiFunctions(router: Router, context: AppContext): void {
  mount(router, analysisFunctionRoutes, {
    analyzeFile: ({ caller, body, signal }) => analyzeFile(context, caller, body.fileId, signal),
  })
  mount(router, imageFunctionRoutes, {
    aiImageGen: ({ caller, body }) => makePicture(context, caller, body.prompt),
    imageOfFile: ({ caller, params }) => readPicture(context, caller, params.id),
  })
}
