import { readFile } from 'node:fs/promises'
import type { PageFrame, PublicPages } from '#contract/pages.ts'
import { buildFolder, type Pages } from './pages.ts'
import type { PageFiles, PublicPage } from './public-pages.ts'
import type { Screen } from './screens.ts'

/** The module of the frame, with sidebar and header, that surrounds every signed-in screen. */
const frameModule = 'web/shell/Frame.tsx'

/** Loads the documents of the build from the folder `out`. */
export async function loadBuiltPages(screens: readonly Screen[], publicPages: readonly PublicPage[]): Promise<Pages> {
  const html = await readFile(new URL('app/web/app.html', buildFolder), 'utf8')
  const application = await readManifest('app/.vite/manifest.json')
  const publicManifest = await readManifest('public/.vite/manifest.json')
  const { pages: renderers }: { pages: PublicPages } = await import(new URL('pages/pages.js', buildFolder).href)
  const documents = new Map<string, string>()
  for (const { path, module, isPublic } of screens)
    if (module) documents.set(path, withPreloads(html, application, isPublic ? [module] : [frameModule, module]))
  const filesOfPage = new Map(publicPages.map(({ name, files }) => [name, findBuiltFiles(files, publicManifest, application)]))
  return {
    application: async (url, nonce) => (documents.get(url.split('?')[0] ?? '') ?? html).replaceAll('NONCE', nonce),
    publicPage: async (name, content, nonce) => {
      const files = filesOfPage.get(name)
      if (!files) throw new Error(`The page ${name} is not registered`)
      return renderers[name](content, { ...files, nonce })
    },
  }
}

/** Returns the addresses of a page's files in the build. */
const findBuiltFiles = (
  { style, script, preloads = [] }: PageFiles,
  publicManifest: Manifest,
  application: Manifest,
): Omit<PageFrame, 'nonce'> => ({
  styles: [fileOf(publicManifest, style)],
  scripts: script ? [fileOf(publicManifest, script)] : [],
  preloads: filesWithImports(application, preloads),
})

/** Vite's list of the files in the build, by source file. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(new URL(path, buildFolder), 'utf8'))
}

/** Returns the address of a source file in the build. Throws when the build does not contain it. */
function fileOf(manifest: Manifest, source: string): string {
  const entry = manifest[source]
  if (!entry) throw new Error(`${source} is not in the build`)
  return `/${entry.file}`
}

/** Returns the scripts and styles of these sources and of all modules that they import. */
function filesWithImports(manifest: Manifest, sources: readonly string[]): string[] {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (source: string): void => {
    if (seen.has(source)) return
    seen.add(source)
    files.add(fileOf(manifest, source))
    for (const style of manifest[source]?.css ?? []) files.add(`/${style}`)
    for (const imported of manifest[source]?.imports ?? []) visit(imported)
  }
  for (const source of sources) visit(source)
  return [...files]
}

/** Returns the application's document with preload links to the files of a screen. */
function withPreloads(html: string, manifest: Manifest, sources: readonly string[]): string {
  const missing = filesWithImports(manifest, sources).filter((file) => !html.includes(file))
  const links = missing.map((file) =>
    file.endsWith('.css') ? `<link rel="stylesheet" crossorigin href="${file}">` : `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  return html.replace('</head>', `${links.join('')}</head>`)
}
