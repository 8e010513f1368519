import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { mockServer, renderApp, setWindowWidth } from '#web/testing.ts'
import { folderRoutes, surveyFile } from '../../testing.ts'

const pageCount = 12
/** Has two matches of "oak" that are too far from each other for one passage. */
const pageText = `The oak desk. ${'The room is painted again. '.repeat(10)}The oak door.`
const size = { width: 600, height: 800 }

vi.mock('./pdfjs.ts', () => {
  const getViewport = ({ scale }: { scale: number }) => ({ width: size.width * scale, height: size.height * scale })
  const page = {
    getViewport,
    render: () => ({ promise: Promise.resolve(), cancel: () => undefined }),
    getTextContent: async () => ({ items: [{ str: pageText, hasEOL: false }] }),
    cleanup: () => undefined,
  }
  const pdf = { numPages: pageCount, getPage: async () => page }
  return { loadDocument: () => ({ promise: Promise.resolve(pdf), destroy: async () => undefined }) }
})

/** Adds the text of a page as one element. */
vi.mock('pdfjs-dist/legacy/build/pdf.mjs', () => ({
  TextLayer: class {
    readonly textDivs: readonly HTMLElement[] = [document.createElement('span')]
    readonly #container: HTMLElement
    constructor({ container }: { container: HTMLElement }) {
      this.#container = container
    }
    render = async (): Promise<void> => {
      for (const element of this.textDivs) element.textContent = pageText
      this.#container.append(...this.textDivs)
    }
    cancel = (): void => undefined
  },
}))

beforeEach(() => {
  setWindowWidth(1280)
  // in happy-dom elements have no size, and texts have no place
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(size.height)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(size.height)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(size.width)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, size.width, size.height))
  vi.spyOn(Range.prototype, 'getClientRects').mockImplementation(() => Object.assign([new DOMRect(10, 10, 40, 20)], { item: () => null }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #callback: (entries: object[]) => void
      constructor(callback: (entries: object[]) => void) {
        this.#callback = callback
      }
      observe = (target: Element): void =>
        queueMicrotask(() => act(() => this.#callback([{ target, contentRect: new DOMRect(0, 0, size.width, size.height) }])))
      unobserve = (): void => undefined
      disconnect = (): void => undefined
    },
  )
})

/** Watches which elements are scrolled into view. */
const watchScrolls = () => vi.spyOn(Element.prototype, 'scrollIntoView')

/** Returns the numbers of the matches that were scrolled into view. */
const getShownMatches = ({ mock }: ReturnType<typeof watchScrolls>) =>
  mock.contexts.flatMap((element) => (element instanceof HTMLElement ? (element.dataset['match'] ?? []) : []))

/** Opens a PDF with a search that finds two places on each page. */
async function openSearchedPdf(): Promise<void> {
  const text = Array.from({ length: pageCount }, () => pageText).join('')
  const pages = Array.from({ length: pageCount }, (_, index) => index * pageText.length)
  mockServer({
    ...folderRoutes,
    'GET /api/files': { rows: [surveyFile], next: null },
    'GET /api/files/{id}': surveyFile,
    'GET /api/files/{id}/text': { state: 'ready', reason: null, text, is_cut: false, pages },
  })
  await renderApp(`/files/file/${surveyFile.id}?find=oak`)
}

test('a place found in a PDF is scrolled to once, and not again when its page is scrolled away and back', async () => {
  const scrolls = watchScrolls()
  await openSearchedPdf()
  await waitFor(() => expect(getShownMatches(scrolls)).toEqual(['0']))
  const box = screen.getByRole('region', { name: 'Pages' })
  const firstPage = () => within(box).queryByRole('article', { name: 'Page 1' })
  const scrollTo = (top: number): void => {
    box.scrollTop = top
    fireEvent.scroll(box)
  }
  scrollTo(size.height * 6)
  await waitFor(() => expect(firstPage()).toBeNull())
  scrollTo(0)
  await waitFor(() => expect(firstPage()?.querySelector('[data-active]')).toBeTruthy())
  expect(getShownMatches(scrolls)).toEqual(['0'])
})

test('for the next place on the same page, the page is scrolled to first and then the place', async () => {
  const scrolls = watchScrolls()
  await openSearchedPdf()
  await waitFor(() => expect(getShownMatches(scrolls)).toEqual(['0']))
  const pageScrolls = vi.spyOn(screen.getByRole('region', { name: 'Pages' }), 'scrollTo')
  fireEvent.keyDown(document.body, { key: 'n' })
  await waitFor(() => expect(getShownMatches(scrolls)).toEqual(['0', '1']))
  await waitFor(() => expect(pageScrolls).toHaveBeenCalled())
  const indexOfMark = scrolls.mock.contexts.findLastIndex((element) => element instanceof HTMLElement && element.matches('[data-match]'))
  expect(pageScrolls.mock.invocationCallOrder.at(-1)).toBeLessThan(scrolls.mock.invocationCallOrder[indexOfMark] ?? 0)
})
