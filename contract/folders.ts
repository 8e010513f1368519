import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { removeInvisible } from './fileNames.ts'
import { SearchText, type Filters } from './lists.ts'
import { wholeNumber } from './numbers.ts'
import { requiredText } from './fields.ts'
import { NewRecordId, systemFields, Version } from './records.ts'
import { defineRoutes } from './route.ts'

/** The files of a folder are counted up to this number, so that a list of large folders stays fast. */
export const maxCountedFiles = 10_000

/**
 * The folders that contain a folder or a file, outermost first and without the root folder. Empty for what is in the root folder itself.
 */
export const FolderPath = z.array(z.object({ id: z.uuid(), name: z.string() }))
export type FolderPath = z.infer<typeof FolderPath>

/** A folder. `parent_folder_id` is null in the root folder. */
export const Folder = z.object({
  ...systemFields,
  name: z.string(),
  parent_folder_id: z.nullable(z.uuid()),
  /** The number of files directly in it. At most `maxCountedFiles` are counted. */
  file_count: z.int(),
  /** Whether it has neither files nor folders. */
  is_empty: z.boolean(),
})
export type Folder = z.infer<typeof Folder>

/**
 * The folders that contain a row of a list. If their names are very long together, `path` has only the innermost folders, and `is_path_cut`
 * is true.
 */
export const pathFields = { path: z.optional(FolderPath), is_path_cut: z.optional(z.boolean()) }

/** A folder in a list. Only the results of a search have a path. */
export const FolderRow = z.extend(Folder, pathFields)
export type FolderRow = z.infer<typeof FolderRow>

/** The fields by which folders are selected. */
export const folderFilters = {
  parent_folder_id: 'link',
  /** In any folder below this one. */
  below_folder_id: 'link',
} as const satisfies Filters

const FolderName = requiredText('name', 200).check(z.overwrite(removeInvisible))

const fields = { name: FolderName, parent_folder_id: z.nullable(z.uuid()) }

/** The maximum number of folders inside each other. Google Drive has the same limit. The database checks it at each change. */
export const maxFolderDepth = 100

/** The sentence for folders that are too deep. */
export const foldersTooDeep = `At most ${maxFolderDepth} folders inside each other`

/** The maximum number of paths in a request. */
export const maxFolderPaths = 1000

/** The maximum number of names in a path. Empty names count here, because a path of very many slashes would take long to check. */
const maxSegments = 2 * maxFolderDepth

type ParsedName = ReturnType<typeof parseName>
const parseName = (name: string) => z.safeParse(fields.name, name)
const parseNames = (path: string): ParsedName[] =>
  path
    .split('/')
    .filter((name) => name.trim() !== '')
    .map(parseName)

/** Returns the names of the folders in a path such as "Offers/2026", cleaned like the name of a folder. Ignores empty names. */
export const splitFolderPath = (path: string): string[] => parseNames(path).flatMap(({ data }) => data ?? [])

/** Returns what is wrong with a path of folders; undefined if nothing is. */
function findPathError(path: string): string | undefined {
  if (path.split('/', maxSegments + 1).length > maxSegments) return foldersTooDeep
  const names = parseNames(path)
  if (names.length === 0) return 'Enter a name'
  if (names.length > maxFolderDepth) return foldersTooDeep
  if (names.some(({ data }) => data === '.' || data === '..')) return 'A folder cannot have this name'
  return names.map(({ error }) => error?.issues[0]?.message).find((message) => message !== undefined)
}

const PathText = z.string().check(
  z.maxLength(40_000),
  z.superRefine((path, context) => {
    const message = findPathError(path)
    if (message !== undefined) context.addIssue(message)
  }),
)

const Id = z.strictObject({ id: z.uuid() })

export const folderRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/folders',
    summary:
      'The folders in a folder, by name; without parent_folder_id those in the root folder. A search finds folders at any depth, in the whole drive or below a folder',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      parent_folder_id: z.optional(z.uuid()),
      search: SearchText,
      /** Limits a search to the folders below this one. */
      below_folder_id: z.optional(z.uuid()),
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 200),
    }),
    out: z.object({ rows: z.array(FolderRow), next: z.nullable(z.string()) }),
    example: { query: { parent_folder_id: exampleId('folder') } },
  },
  get: {
    method: 'GET',
    path: '/api/folders/{id}',
    summary: 'One folder',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Folder,
    example: { params: { id: exampleId('folder') } },
  },
  path: {
    method: 'GET',
    path: '/api/folders/{id}/path',
    summary: 'The folders that contain a folder, outermost first and without the root folder, and at last the folder itself',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: z.object({ rows: FolderPath }),
    example: { params: { id: exampleId('folder') } },
  },
  create: {
    method: 'POST',
    path: '/api/folders',
    summary: 'Add a folder. Its name must differ from the names of the other folders in the same folder',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ id: NewRecordId, name: fields.name, parent_folder_id: z._default(fields.parent_folder_id, null) }),
    out: Folder,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    errors: ['duplicate'],
    example: { body: { name: 'Offers' } },
  },
  createPaths: {
    method: 'POST',
    path: '/api/folders/paths',
    summary:
      'Find or create the folders of paths such as "Offers/2026" in a folder, as one change. A repeated request finds the same folders',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({
      parent_folder_id: z._default(fields.parent_folder_id, null),
      paths: z.array(PathText).check(z.minLength(1), z.maxLength(maxFolderPaths)),
    }),
    /** The last folder of each path, in the order of the request. */
    out: z.object({ rows: z.array(z.object({ path: z.string(), id: z.uuid() })) }),
    responseIfRepeated: { fromRoute: 'createPaths' }, // `createPaths` finds the folders that exist already
    errors: ['too_many'],
    example: { body: { parent_folder_id: exampleId('folder'), paths: ['Offers/2026'] } },
  },
  update: {
    method: 'PATCH',
    path: '/api/folders/{id}',
    summary: 'Rename a folder, or move it into another folder',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({ name: z.optional(fields.name), parent_folder_id: z.optional(fields.parent_folder_id), version: Version }),
    out: Folder,
    responseIfRepeated: { fromRoute: 'get' },
    errors: ['conflict', 'duplicate'],
    example: { params: { id: exampleId('folder') }, body: { name: 'Signed contracts' } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/folders/{id}',
    summary: 'Delete a folder with everything in it; it stays in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    mayContinue: true,
    params: Id,
    example: { params: { id: exampleId('folder') } },
  },
})
