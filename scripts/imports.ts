// npm run imports: fails when a file imports a file that the rules below do not allow, when files or folders import each other in a cycle,
// and when a file has more than 300 lines. A type import counts like any other import.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

type Import = { from: string; to: string }

/** The imports between features of web that are allowed as exceptions, because one feature shows a component of another. */
const allowedImports = new Set<string>([
  'web/accounts/AccountPage.tsx -> web/ai/AiSettings.tsx',
  'web/assistant/chat/SaveFileDialog.tsx -> web/files/move/FolderDialog.tsx',
  'web/assistant/composer/ChooseFilesDialog.tsx -> web/files/attachments/FileChoices.tsx',
  'web/assistant/composer/uploads.ts -> web/files/upload/readFiles.ts',
  'web/assistant/composer/uploads.ts -> web/files/upload/uploadFiles.ts',
  'web/assistant/composer/uploads.ts -> web/files/upload/uploadList.ts',
  'web/dashboard/PipelineTile.tsx -> web/deals/kind/stages.ts',
  'web/dashboard/TasksTile.tsx -> web/tasks/ShortTaskList.tsx',
  'web/deals/DealPanel.tsx -> web/tasks/TasksSection.tsx',
])

/** Returns the imported file as a path from the root; undefined for a package. `#` in a specifier stands for the root. */
function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  return undefined
}

/** Returns the specifiers of all imports of a file, including type imports and dynamic imports. */
export function importsOf(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const specifiers = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest) specifiers.push(moduleRequest.value)
  for (const { moduleRequest } of module.dynamicImports) {
    const argument = source.slice(moduleRequest.start, moduleRequest.end)
    const isLiteral = /^(['"`])[^$]*\1$/s.test(argument) // a text in quotes without `${...}`
    if (isLiteral) specifiers.push(argument.slice(1, -1))
  }
  return specifiers
}

/** Whether the file does not belong to the product: a test, a helper of tests, a script or a benchmark. These may import every file. */
function isOutsideProduct(file: string): boolean {
  return /(\.test\.tsx?|\/testing\.ts)$/.test(file) || /^(tests|scripts|bench)\//.test(file)
}

/**
 * Returns an error message when `file` may not import `to`; undefined when it may. `to` is undefined for a package. `featureOrder` has the
 * names of the features in the order of `server/features.ts`.
 */
export function findImportError(file: string, to: string | undefined, specifier: string, featureOrder: string[]): string | undefined {
  const [root, folder = ''] = file.split('/')
  if (isOutsideProduct(file) || !['contract', 'server', 'web'].includes(root ?? '')) return undefined
  if (file.startsWith('web/brand/') && !to?.startsWith('web/brand/')) return 'web/brand holds only strings and may not import other code'
  if (to === undefined) {
    if (root === 'contract' && !/^zod(\/|$)/.test(specifier)) return 'the contract may import only zod'
    if (root === 'web' && specifier.startsWith('node:')) return 'web may not import Node modules'
    if (/^(ai$|ai\/|@ai-sdk\/)/.test(specifier) && !file.startsWith('server/platform/ai/'))
      return 'only server/platform/ai may import the AI SDK'
    return undefined
  }
  const [toRoot, toFolder = ''] = to.split('/')
  if (toRoot === 'contract') {
    if (root === 'web' && folder === 'ui') return 'web/ui may not import the contract'
    if (
      root === 'server' &&
      folder === 'platform' &&
      !/^contract\/(actors|changes|errors|events|fields|health|lists|pages|records|route|slugs|visitorForms|visitors)\.ts$/.test(to)
    )
      return 'the platform may not import the contract of a feature'
    return undefined
  }
  if (root === 'contract') return 'the contract may import only zod'
  if (root !== toRoot) return `${root} may not import ${toRoot}`
  return root === 'server' ? findServerError(file, folder, to, toFolder, featureOrder) : findWebError(file, folder, to, toFolder)
}

function findServerError(file: string, folder: string, to: string, toFolder: string, featureOrder: string[]): string | undefined {
  // files directly in server, such as main.ts, may import everything
  if (file.split('/').length === 2 || folder === 'testing' || folder === toFolder) return undefined
  if (folder === 'platform') return 'the platform may not import a feature'
  if (toFolder === 'platform') return undefined
  if (to !== `server/${toFolder}/${toFolder}.ts`) return `other features may import only server/${toFolder}/${toFolder}.ts`
  if (featureOrder.indexOf(toFolder) >= featureOrder.indexOf(folder)) return `${toFolder} is not listed before ${folder} in features.ts`
  return undefined
}

function findWebError(file: string, folder: string, to: string, toFolder: string): string | undefined {
  if (file.split('/').length === 2 || folder === toFolder) return undefined
  if (toFolder === 'brand')
    return ['ui', 'public', 'shell'].includes(folder) ? undefined : 'only web/ui, web/public and web/shell may import web/brand'
  if (folder === 'ui' || folder === 'lib') return `web/${folder} may not import other folders of web`
  if (folder === 'public') return 'web/public may import only the contract and web/brand'
  if (folder === 'shell')
    return ['ui', 'lib'].includes(toFolder) || /^web\/[^/]+\/index\.tsx$/.test(to)
      ? undefined
      : 'web/shell may import only web/ui, web/lib and the index of other folders of web'
  if (['ui', 'lib'].includes(toFolder) || allowedImports.has(`${file} -> ${to}`)) return undefined
  if (folder === 'records') return 'web/records may not import a feature'
  if (toFolder === 'records') return undefined
  return `web/${folder} may not import web/${toFolder}`
}

/** Returns the shortest cycle of every node that is on a cycle, as `a -> b -> a`. A cycle that several nodes share is listed once. */
export function findCycles(edges: { from: string; to: string }[]): string[] {
  const edgesByNode = Map.groupBy(edges, ({ from }) => from)
  const cycleOfMembers = new Map<string, string>()
  const next = (node: string): string[] => edgesByNode.get(node)?.map(({ to }) => to) ?? []
  for (const node of edgesByNode.keys()) {
    const cycle = shortestCycle(node, next)
    const members = cycle?.toSorted().join() ?? ''
    if (cycle && !cycleOfMembers.has(members)) cycleOfMembers.set(members, [...cycle, node].join(' -> '))
  }
  return [...cycleOfMembers.values()]
}

/** Searches breadth first. Returns the nodes of the cycle in order, beginning with `start`; undefined when `start` is on no cycle. */
function shortestCycle(start: string, next: (node: string) => string[]): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const node of queue)
    for (const to of next(node)) {
      if (to === start) return pathTo(node, cameFrom)
      if (cameFrom.has(to)) continue
      cameFrom.set(to, node)
      queue.push(to)
    }
  return undefined
}

/** Returns the nodes from the start of the search to this node. `cameFrom` has for each node except the start the node before it. */
function pathTo(node: string, cameFrom: Map<string, string>): string[] {
  const before = cameFrom.get(node)
  return before === undefined ? [node] : [...pathTo(before, cameFrom), node]
}

/** Returns the cycles of folders. Below each cycle, one import is listed as an example for each of its edges. Tests are ignored. */
function folderCycles(imports: Import[]): string[] {
  const edges = imports
    .filter(({ from }) => !isOutsideProduct(from))
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to), example: `${from} -> ${to}` }))
    .filter(({ from, to }) => from !== to)
  const exampleOf = new Map(edges.map(({ from, to, example }) => [`${from} -> ${to}`, example]))
  return findCycles(edges).map((cycle) => {
    const folders = cycle.split(' -> ')
    const examples = folders.slice(1).map((to, index) => exampleOf.get(`${folders[index]} -> ${to}`))
    return `${cycle}\n  ${examples.join('\n  ')}`
  })
}

/**
 * Returns the folder of a file for the search for cycles of folders: "server/files" for server/files/zip/zip.ts, but
 * "server/platform/http" and "web/records/list" in the two large folders. Files directly in web/records belong to the folder web/records.
 */
export function folderOf(file: string): string {
  const folders = file.split('/').slice(0, -1)
  return folders.slice(0, /^(server\/platform|web\/records)\//.test(file) ? 3 : 2).join('/')
}

/** Returns the folders of the features in the order of the list `features` in the text of `server/features.ts`. */
export function readFeatureOrder(source: string): string[] {
  const folders = new Map(
    [...source.matchAll(/import \{ (\w+) \} from '#server\/([^/]+)\//g)].map(([, name, folder = '']) => [name, folder]),
  )
  const [, list = ''] = /const features: readonly Feature\[\] = \[([^\]]*)\]/.exec(source) ?? []
  return [...list.matchAll(/\w+/g)].map(([name]) => folders.get(name) ?? '')
}

/**
 * Checks the files of the product, its tests, its scripts and its benchmarks. Returns their number and one complaint for each broken rule.
 */
export async function check(root: string): Promise<{ files: number; complaints: string[] }> {
  const featureOrder = readFeatureOrder(readFileSync(join(root, 'server/features.ts'), 'utf8'))
  const imports: Import[] = []
  const complaints: string[] = []
  let files = 0
  for await (const path of glob('{contract,server,web,tests,scripts,bench}/**/*.{ts,tsx,mjs}', { cwd: root })) {
    const file = path.replaceAll('\\', '/')
    files++
    const source = readFileSync(join(root, file), 'utf8')
    if (source.split('\n').length > 300) complaints.push(`${file}: longer than 300 lines`)
    for (const specifier of importsOf(file, source)) {
      const to = resolveImport(file, specifier)
      const importError = findImportError(file, to, specifier, featureOrder)
      if (importError) complaints.push(`${file} -> ${specifier}: ${importError}`)
      if (to) imports.push({ from: file, to })
    }
  }
  complaints.push(...findCycles(imports).map((cycle) => `cycle of files: ${cycle}`))
  complaints.push(...folderCycles(imports).map((cycle) => `cycle of folders: ${cycle}`))
  return { files, complaints }
}

if (import.meta.main) {
  const { files, complaints } = await check(join(import.meta.dirname, '..'))
  for (const complaint of complaints) console.error(complaint)
  if (files < 10) throw new Error('The check found fewer than 10 files: it looks in the wrong folder')
  console.log(`imports: ${files} files, ${complaints.length} complaints`)
  process.exitCode = complaints.length > 0 ? 1 : 0
}
