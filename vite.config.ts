import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCallback } from 'node:zlib'
import react from '@vitejs/plugin-react'
import pdfjs from 'pdfjs-dist/package.json' with { type: 'json' }
import { defineConfig, type Plugin } from 'vite'
import { favicon } from './web/brand/drawings.ts'

const brotli = promisify(brotliCompress)
const gzip = promisify(gzipCallback)

const browserBuild = {
  target: 'es2023',
  // the first versions with light-dark(); for older ones Vite would replace light-dark(), and Mantine's colours would be lost
  cssTarget: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
  assetsInlineLimit: 0, // Vite must not write files as data: URLs, which the content security policy forbids
  modulePreload: { polyfill: false },
  manifest: true,
  emptyOutDir: true,
  chunkSizeWarningLimit: 600, // in kB; pdf.js, which only the preview of a PDF loads, is the largest chunk
}

/** Adds the icon to the document of the application. The public pages add the same icon themselves. */
const icon: Plugin = {
  name: 'foyer:icon',
  transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'icon', href: favicon }, injectTo: 'head' }],
}

/**
 * Adds the files that pdf.js requests by name while it shows a document: character maps, the standard fonts, and the image decoders without
 * WebAssembly. Their folder has the version of pdf.js, because browsers keep files below /assets for a year.
 */
const pdfFiles: Plugin = {
  name: 'foyer:pdf-files',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle() {
    for (const folder of ['cmaps', 'standard_fonts', 'wasm']) {
      const source = new URL(`node_modules/pdfjs-dist/${folder}/`, import.meta.url)
      const names = readdirSync(source).filter(
        (name) => folder !== 'wasm' || /^LICENSE_.*(JBIG2|OPENJPEG)|_nowasm_fallback\.js$/.test(name),
      )
      for (const name of names)
        this.emitFile({
          type: 'asset',
          fileName: `assets/pdfjs-${pdfjs.version}/${folder}/${name}`,
          source: readFileSync(new URL(name, source)),
        })
    }
  },
}

/** Smaller text files are sent uncompressed. The server compresses its other responses from the same size on. */
const minCompressedBytes = 1024
/** Larger files are compressed with a lower quality of Brotli, because the highest one takes seconds and saves only 1% of the size. */
const maxBestQualityBytes = 400_000

/** Adds each text file of the build also in compressed form, with a better quality than the server could reach while it responds. */
const compressedFiles: Plugin = {
  name: 'foyer:compressed-files',
  apply: 'build',
  applyToEnvironment: ({ name }) => name !== 'pages',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|mjs|css|svg)$/.test(name))
    await Promise.all(texts.map((name) => compressFile(join(dir, name))))
  },
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.byteLength < minCompressedBytes) return
  const quality = content.byteLength > maxBestQualityBytes ? 9 : constants.BROTLI_MAX_QUALITY
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength }
  const [brotliContent, gzipContent] = await Promise.all([brotli(content, { params }), gzip(content, { level: 9 })])
  await Promise.all([writeFile(`${path}.br`, brotliContent), writeFile(`${path}.gz`, gzipContent)])
}

export default defineConfig({
  appType: 'custom',
  publicDir: false,
  plugins: [react(), icon, pdfFiles, compressedFiles],
  html: { cspNonce: 'NONCE' }, // the server replaces this word with the nonce of the response
  builder: {},
  environments: {
    client: {
      build: {
        ...browserBuild,
        outDir: 'out/app',
        rolldownOptions: {
          input: 'web/app.html',
          output: {
            // shorter than the default hash of 8 characters, because the first screen loads a list of the names of all files
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // a group is a chunk; `test` matches the path of a module, in which [\\/] is the separator of every system
            // a module that several groups match goes to the one with the highest priority
            // with `minShareCount`, a group takes only modules that at least so many other chunks need
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 30 },
                {
                  name: 'ui', // the Mantine components that are needed whichever screen is opened first
                  test: /node_modules[\\/](clsx|get-nonce|@mantine[\\/](hooks|store)|@mantine[\\/]core[\\/]esm[\\/](core|components[\\/](ActionIcon|Button|Loader|Transition|UnstyledButton))[\\/])/,
                  priority: 25,
                },
                {
                  name: 'fields', // text fields, which lists do not need
                  test: /node_modules[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](Input|InputBase|TextInput|CloseButton)[\\/]/,
                  priority: 25,
                },
                {
                  name: 'overlays', // menus, popovers and tooltips
                  test: /node_modules[\\/](@mantine[\\/]core[\\/]esm[\\/]components[\\/](Menu|Popover|Tooltip|Portal|FocusTrap)[\\/]|@floating-ui)|web[\\/]ui[\\/](floatingParts|ButtonMenu)/,
                  priority: 22,
                },
                {
                  name: 'dialogs', // modals and drawers
                  test: /node_modules[\\/](@mantine[\\/]core[\\/]esm[\\/]components[\\/](Modal|ModalBase|Drawer)[\\/]|react-remove-scroll)|web[\\/]ui[\\/]dialogs\.css/,
                  priority: 21,
                  minShareCount: 2,
                },
                { name: 'password', test: /PasswordInput|web[\\/]ui[\\/]PasswordField/, priority: 21, minShareCount: 2 },
                {
                  name: 'choices', // fields that open a list of choices
                  test: /node_modules[\\/]@mantine[\\/]core|web[\\/]ui[\\/]choices\.css/,
                  priority: 20,
                  minShareCount: 2,
                },
                {
                  name: 'forms', // the parts of forms that are not fields
                  test: /node_modules[\\/]@mantine[\\/]form|web[\\/]ui[\\/](FieldConflict|Warning|DialogForm)|web[\\/]records[\\/]form[\\/]unsavedChangesGuard/,
                  priority: 10,
                  minShareCount: 2,
                },
                // icons and parts that only two chunks share are not in these groups, because most screens do not need them
                { name: 'panelIcons', test: /@tabler.*Icon(AlignLeft|Calendar|LayoutSidebarRight|Tags)\./, priority: 16, minShareCount: 2 },
                {
                  name: 'icons', // without those of the types of files, which only screens with files need
                  test: /node_modules[\\/]@tabler(?!.*Icon(File(?!Spreadsheet)[A-Z]|FolderSymlink|Music|Photo|Presentation|Video))/,
                  priority: 15,
                  minShareCount: 3,
                },
                {
                  name: 'base', // our modules that the sign-in page needs; the priority is higher than that of 'parts', which matches some of them
                  test: /preload-helper|contract[\\/]records\.|web[\\/](records[\\/](address|kind[\\/]queries)|lib[\\/](?!actors|aiState|changeProgress|closeConfirmation|deliverKeys|eventStream|firstSteps|handledKeys|localeChoices|profile|runUndo|sendBytes|startDownload|undoSteps|visitorAnswers|visits|withoutUndo)|brand[\\/]|ui[\\/](Logo|Door|states|colorSchemes|PageBar|FailedState))|tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/](createReactComponent|defaultAttributes|icons[\\/]Icon(X|AlertTriangle|Trash|ChevronRight|Upload)\.)/,
                  priority: 23,
                },
                {
                  name: 'lists', // our modules that every list of records needs, so that a list loads one file instead of twenty
                  test: /web[\\/]records[\\/]((bulk|filters|list|views)[\\/]|links[\\/]externalLinks|kind[\\/]kind|form[\\/]textSchemas|panel[\\/]visibleRecords)/,
                  priority: 8,
                  minShareCount: 4,
                },
                {
                  name: 'parts', // our components that several screens show
                  test: /web[\\/]ui[\\/](?!AiOffNotice|drag\.|ExternalLink|LeaveDialog|RichText|dialogs|parseMarkdown|ListSkeleton|CheckboxList|Badge|dropdownKeys|ButtonMenu|ChoiceSwitch|CopyableText|CopyButton|RowButton|SecretCard|TabLinks|Warning|floatingParts)/,
                  priority: 9,
                  minShareCount: 3,
                },
                { name: 'ai', test: /web[\\/](lib[\\/]aiState|ui[\\/]AiOffNotice)|contract[\\/]ai\.ts/, priority: 7, minShareCount: 2 },
                {
                  name: 'tanstack',
                  test: /node_modules[\\/]@tanstack[\\/](react-router|router-core|history|react-query|query-core|react-store|store)/,
                  priority: 24,
                },
              ],
            },
          },
        },
      },
    },
    public: {
      consumer: 'client',
      build: {
        ...browserBuild,
        outDir: 'out/public',
        rolldownOptions: {
          input: [
            ...['landing/landing', 'form/form', 'book/book'].flatMap((name) => [`web/public/${name}.ts`, `web/public/${name}.css`]),
            'web/public/api-docs/api-docs.css',
          ],
        },
      },
    },
    pages: {
      consumer: 'server',
      // bundles only what is used of the packages, because a whole package, such as the icons, would take memory and time at the start
      resolve: { noExternal: true, external: ['react', 'react-dom'] },
      build: {
        target: 'node24',
        outDir: 'out/pages',
        emptyOutDir: true,
        rolldownOptions: { input: ['web/public/pages.tsx', 'web/skeletons.tsx'] },
      },
    },
  },
})
