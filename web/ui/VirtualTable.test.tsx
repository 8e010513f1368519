import { render } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test, vi } from 'vitest'
import { useCursor } from './cursor.ts'
import { useSelection } from './selection.ts'
import { VirtualTable } from './VirtualTable.tsx'

const rows = [{ id: '1' }, { id: '2' }]

function Table({ isBusy, onNearEnd }: { isBusy: boolean; onNearEnd: () => void }) {
  return (
    <MantineProvider env="test">
      <VirtualTable
        label="Numbers"
        columns={[{ name: 'id', label: 'Number', cell: ({ id }) => id }]}
        rows={rows}
        rowName={({ id }) => id}
        total={undefined}
        rowHeight={40}
        headHeight={34}
        sortState={undefined}
        onSort={() => {}}
        selection={useSelection(rows)}
        cursor={useCursor(rows)}
        onOpen={() => {}}
        onAction={() => {}}
        onNearEnd={onNearEnd}
        initialScroll={0}
        queryText=""
        scrollName="numbers"
        isBusy={isBusy}
      />
    </MantineProvider>
  )
}

test('after a failed request, the next render requests more rows again, although nobody scrolls', () => {
  const request = vi.fn<() => void>()
  const { rerender } = render(<Table isBusy onNearEnd={request} />)
  // the request ends, but the rows are the same as before
  const callsBefore = request.mock.calls.length
  rerender(<Table isBusy={false} onNearEnd={request} />)
  expect(request.mock.calls.length).toBeGreaterThan(callsBefore)
})
