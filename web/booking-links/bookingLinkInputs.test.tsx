import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { queries } from '#web/lib/queries.ts'
import { bookingLinkFields } from './BookingLinkDialog.tsx'

test.each([
  [{ title: 'Site visit' }, { title: 'First call' }],
  [
    { title: 'Site visit', slug: 'site-visit' },
    { title: 'First call', slug: 'first-call' },
  ],
])('in the editor of a proposal, the address follows the title only if the proposal sets an address (%#)', (values, savedValues) => {
  const save = vi.fn<(values: object) => void>()
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider>
        <bookingLinkFields.Editor draftName="proposal" values={values} errors={{}} onSave={save} onCancel={() => {}} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const title = screen.getByRole('textbox', { name: 'Title' })
  for (const text of ['', 'First call']) fireEvent.change(title, { target: { value: text } })
  fireEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(save).toHaveBeenCalledExactlyOnceWith(savedValues)
})
