// Who may import whom ("Who may import what" in docs/architecture.md). What is not allowed here is refused; so is a cycle of files.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

type Import = { from: string; to: string; typeOnly: boolean }

/** Another feature's screen parts that a feature may show. */
const shared = new Set<string>([
  'web/contacts/ContactTabs.tsx -> web/deals/DealsTab.tsx',
  'web/contacts/ContactTabs.tsx -> web/notes/NotesTab.tsx',
  'web/contacts/ContactTabs.tsx -> web/notes/queries.ts',
  'web/contacts/ContactTabs.tsx -> web/tasks/TasksTab.tsx',
  'web/dashboard/PipelineTile.tsx -> web/deals/stages.ts',
  'web/dashboard/TasksTile.tsx -> web/tasks/FewTasks.tsx',
  'web/deals/DealPanel.tsx -> web/tasks/TasksSection.tsx',
])

/** Where an import leads, as a path from the root; undefined for a package. */
function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  return undefined
}

export function importsOf(file: string, source: string): { specifier: string; typeOnly: boolean }[] {
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType } of entries) if (moduleRequest) found.push({ specifier: moduleRequest.value, typeOnly: isType })
  for (const { moduleRequest } of module.dynamicImports) {
    const text = source.slice(moduleRequest.start, moduleRequest.end)
    if (/^(['"`])[^$]*\1$/s.test(text)) found.push({ specifier: text.slice(1, -1), typeOnly: false })
  }
  return found
}

/** A sentence when `file` may not import `to`. */
export function refusal(file: string, to: string | undefined, specifier: string, order: string[]): string | undefined {
  const [root, folder = ''] = file.split('/')
  if (
    /(\.test\.tsx?|\/testing\.ts)$/.test(file) ||
    /^(tests|scripts|bench)\//.test(file) ||
    !['contract', 'server', 'web'].includes(root ?? '')
  )
    return undefined
  if (file.startsWith('web/brand/') && !to?.startsWith('web/brand/')) return 'web/brand is strings alone'
  if (to === undefined) {
    if (root === 'contract' && !/^zod(\/|$)/.test(specifier)) return 'the contract knows only zod'
    if (root === 'web' && specifier.startsWith('node:')) return 'the web knows no Node'
    return undefined
  }
  const [toRoot, toFolder = ''] = to.split('/')
  if (toRoot === 'contract') {
    if (root === 'web' && folder === 'ui') return 'web/ui knows nothing of ours'
    if (
      root === 'server' &&
      folder === 'platform' &&
      !/^contract\/(actors|changes|errors|events|health|lists|pages|records|route)\.ts$/.test(to)
    )
      return 'the platform knows no feature of the contract'
    return undefined
  }
  if (root === 'contract') return 'the contract knows nothing of ours'
  if (root !== toRoot) return `${root} may not import ${toRoot}`
  return root === 'server' ? serverRefusal(file, folder, to, toFolder, order) : webRefusal(file, folder, to, toFolder)
}

function serverRefusal(file: string, folder: string, to: string, toFolder: string, order: string[]): string | undefined {
  if (file.split('/').length === 2 || folder === 'testing' || folder === toFolder) return undefined // main.ts, features.ts ... know all
  if (folder === 'platform') return 'the platform knows no feature'
  if (toFolder === 'platform') return undefined
  if (to !== `server/${toFolder}/${toFolder}.ts`) return `only the front door server/${toFolder}/${toFolder}.ts is open to others`
  if (order.indexOf(toFolder) >= order.indexOf(folder)) return `${toFolder} is not listed before ${folder} in features.ts`
  return undefined
}

function webRefusal(file: string, folder: string, to: string, toFolder: string): string | undefined {
  if (file.split('/').length === 2 || folder === toFolder) return undefined
  if (toFolder === 'brand')
    return ['ui', 'public', 'shell'].includes(folder) ? undefined : 'the brand is shown by web/ui, web/public and web/shell only'
  if (folder === 'ui' || folder === 'lib') return `web/${folder} knows nothing else of the web`
  if (folder === 'public') return 'public pages know only the contract and their own pieces'
  if (folder === 'shell')
    return ['ui', 'lib'].includes(toFolder) || /^web\/[^/]+\/index\.tsx$/.test(to)
      ? undefined
      : 'the shell knows only the index of a feature'
  if (['ui', 'lib'].includes(toFolder) || shared.has(`${file} -> ${to}`)) return undefined
  if (folder === 'records') return 'web/records knows no feature'
  if (toFolder === 'records') return undefined
  return `web/${folder} may not look into web/${toFolder}`
}

/** Cycles between files. Types alone make none: they are gone when the program runs. */
export function cycles(imports: Import[]): string[] {
  const edges = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, trail: string[]): void => {
    const at = trail.indexOf(file)
    if (at >= 0) {
      found.push([...trail.slice(at), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const { to } of edges.get(file) ?? []) walk(to, [...trail, file])
    done.add(file)
  }
  for (const file of edges.keys()) walk(file, [])
  return found
}

export async function check(root: string): Promise<{ files: number; complaints: string[] }> {
  const order = [...readFileSync(join(root, 'server/features.ts'), 'utf8').matchAll(/#server\/([^/]+)\//g)].map((match) => match[1] ?? '')
  const imports: Import[] = []
  const complaints: string[] = []
  let files = 0
  for await (const path of glob('{contract,server,web,tests,scripts}/**/*.{ts,tsx,mjs}', { cwd: root })) {
    const file = path.replaceAll('\\', '/')
    files++
    const source = readFileSync(join(root, file), 'utf8')
    if (source.split('\n').length > 300) complaints.push(`${file}: longer than 300 lines`)
    for (const { specifier, typeOnly } of importsOf(file, source)) {
      const to = target(file, specifier)
      const why = refusal(file, to, specifier, order)
      if (why) complaints.push(`${file} -> ${specifier}: ${why}`)
      if (to) imports.push({ from: file, to, typeOnly })
    }
  }
  complaints.push(...cycles(imports).map((cycle) => `cycle: ${cycle}`))
  return { files, complaints }
}

if (import.meta.main) {
  const { files, complaints } = await check(join(import.meta.dirname, '..'))
  for (const complaint of complaints) console.error(complaint)
  if (files < 10) throw new Error('The check found hardly any file: it looks in the wrong place')
  console.log(`imports: ${files} files, ${complaints.length} complaints`)
  process.exitCode = complaints.length > 0 ? 1 : 0
}
