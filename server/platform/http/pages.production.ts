import { readFile } from 'node:fs/promises'
import type { FindSkeleton, PageParts, PageResources, PublicPages, Skeleton } from '#contract/pages.ts'
import { createTemplate } from './page-template.ts'
import { buildFolder, type FirstResponses, type Pages } from './pages.ts'
import type { PageFiles, PublicPage } from './public-pages.ts'
import type { Screen } from './screens.ts'

/** The module of the frame, with sidebar and header, that surrounds every signed-in screen. */
const frameModule = 'web/shell/Frame.tsx'

/**
 * Loads the documents of the build from the folder `out`. A skeleton is what a document shows until its scripts are loaded. In the document
 * the word NONCE is replaced by the nonce of each response.
 */
export async function loadBuiltPages(screens: readonly Screen[], publicPages: readonly PublicPage[]): Promise<Pages> {
  const html = await readFile(new URL('app/web/app.html', buildFolder), 'utf8')
  const applicationManifest = await readManifest('app/.vite/manifest.json')
  const publicManifest = await readManifest('public/.vite/manifest.json')
  process.env['NODE_ENV'] ??= 'production' // otherwise React would load its build for development, which renders more slowly
  const { pages: renderers }: { pages: PublicPages } = await import(new URL('pages/pages.js', buildFolder).href)
  const { findSkeleton }: { findSkeleton: FindSkeleton } = await import(new URL('pages/skeletons.js', buildFolder).href)
  const pathsWithoutSession = screens.filter(({ isPublic }) => isPublic).map(({ path }) => path)
  const htmlWithFramePreloads = withPreloads(html, applicationManifest, [frameModule])
  const documents = new Map<string, string>()
  for (const { path, module, isPublic } of screens)
    if (module) documents.set(path, withPreloads(html, applicationManifest, isPublic ? [module] : [frameModule, module]))
  const filesOfPage = new Map(publicPages.map(({ name, files }) => [name, findBuiltFiles(files, publicManifest, applicationManifest)]))
  return {
    application: async (url, nonce, responses) => {
      const path = url.split('?')[0] ?? ''
      const isPublic = pathsWithoutSession.some((each) => path === each || path.startsWith(`${each}/`))
      const document = documents.get(path) ?? (isPublic ? html : htmlWithFramePreloads)
      return (isPublic ? document : withSkeleton(document, findSkeleton(url)))
        .replaceAll('NONCE', nonce)
        .replace(responsesPlaceholder, () => renderResponses(responses)) // last, because the responses may contain the word NONCE
    },
    firstRequests: (url) => findSkeleton(url).firstRequests,
    publicPage: async (name, content) => {
      const files = filesOfPage.get(name)
      if (!files) throw new Error(`The page ${name} is not registered`)
      return createTemplate((parts) => renderers[name](content, { ...files, ...parts }))
    },
  }
}

/** Returns the addresses of a page's files in the build. */
const findBuiltFiles = (
  { style, script, prefetchModules = [] }: PageFiles,
  publicManifest: Manifest,
  applicationManifest: Manifest,
): Omit<PageResources, keyof PageParts> => ({
  styles: [fileOf(publicManifest, style)],
  scripts: script ? [fileOf(publicManifest, script)] : [],
  prefetchUrls: filesWithImports(applicationManifest, prefetchModules),
})

/** Vite's list of the files in the build, by source file. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** Reads Vite's list of files in a part of the build. */
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
  const missingFiles = filesWithImports(manifest, sources).filter((file) => !html.includes(file))
  const links = missingFiles.map((file) =>
    file.endsWith('.css') ? `<link rel="stylesheet" crossorigin href="${file}">` : `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  return html.replace('</head>', `${links.join('')}</head>`)
}

const skeletonPlaceholder = '<!-- skeleton -->'
const responsesPlaceholder = '<!-- responses -->'

/**
 * Adds a skeleton to the application's document, and moves the stylesheets behind the skeleton: while a stylesheet is loading, a browser
 * shows only what is before it. The scripts still start after all stylesheets were loaded.
 */
function withSkeleton(html: string, { title, styles, html: skeleton }: Skeleton): string {
  const stylesheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
  return stylesheets
    .reduce((rest, stylesheet) => rest.replace(stylesheet, ''), html)
    .replace(/<title>[^<]*/, () => `<title>${title}`)
    .replace('</head>', () => `<style nonce="NONCE">${styles}</style></head>`)
    .replace(skeletonPlaceholder, () => `${skeleton}${responsesPlaceholder}${stylesheets.join('')}`)
}

/** Returns the element with the responses, which `web/lib/firstResponses.ts` reads. */
function renderResponses(responses: FirstResponses): string {
  const entries = [...responses].map(([address, body]) => `${JSON.stringify(address)}:${body}`)
  const json = `{${entries.join()}}`.replaceAll('<', '\\u003c') // a text in the responses could end the element
  return `<script type="application/json" id="first-responses">${json}</script>`
}
