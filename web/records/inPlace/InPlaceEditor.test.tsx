import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { formRoutes, imara } from '#web/contacts/testing.ts'
import { mockServer, renderApp } from '#web/testing.ts'

test('Escape that ends the composition of a word does not close the editor', async () => {
  mockServer({
    ...formRoutes,
    'GET /api/changes': { rows: [], next: null },
    'GET /api/notes': { rows: [], next: null, count: 0 },
    'GET /api/deals/count': { count: 0, more: false },
    'GET /api/tasks/count': { count: 0, more: false },
  })
  await renderApp(`/crm/contacts/${imara.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit phone' }))
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone optional' })
  fireEvent.change(input, { target: { value: '野' } })
  fireEvent.keyDown(input, { key: 'Escape', isComposing: true })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone optional' }).value).toBe('野')
})
