import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Hit } from '#contract/search.ts'
import { nora, renderApp, mockServer } from '#web/testing.ts'

/** The code of the palette counts as loaded when this promise is resolved. */
const paletteCode = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('./Palette.tsx', async (importOriginal) => {
  await paletteCode.promise
  return importOriginal()
})

const imara: Hit = {
  kind: 'contact',
  id: '01930000-0000-7000-8000-000000000001',
  title: 'Imara Vantongeren',
  detail: '',
  parent: null,
}
const findField = (): Promise<HTMLInputElement> => screen.findByLabelText('Search and commands', { selector: 'input' })
const pressCtrlK = (target: Element): boolean => fireEvent.keyDown(target, { key: 'k', ctrlKey: true })

test('the text that is typed while the code of the palette is loading becomes the text of the palette, and runs no shortcut', async () => {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/trash': { rows: [], next: null },
    'GET /api/search': { hits: [imara] },
  })
  const { router } = await renderApp('/trash')
  await screen.findByRole('button', { name: 'Search' })

  pressCtrlK(document.body)
  pressCtrlK(await findField()) // closes the dialog again
  expect(screen.queryByRole('dialog')).toBeNull()

  pressCtrlK(document.body)
  const field = await findField()
  // keys outside of the field, such as `n` and `g`, with which shortcuts begin
  for (const key of ['n', 'g', 'x', 'Backspace', 'Backspace', 'Backspace']) fireEvent.keyDown(document.body, { key })
  for (const key of 'imara') fireEvent.keyDown(field, { key })
  expect(field.value).toBe('imara')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(router.state.location.pathname).toBe('/trash')
  expect(server.requestsTo('GET /api/search')).toEqual([])

  await act(async () => paletteCode.resolve())
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
  expect(server.requestsTo('GET /api/search').map(({ query }) => query['search'])).toEqual(['imara'])

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  pressCtrlK(document.body)
  expect((await findField()).value).toBe('')
})
