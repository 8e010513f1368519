import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { BarChart } from './BarChart.tsx'
import { ColumnChart, getAxisMarks, type ChartColumn } from './ColumnChart.tsx'

afterEach(cleanup)

test.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 2, 4]],
  [20, [0, 10, 20]],
  [21, [0, 12, 24]],
  [25, [0, 15, 30]],
  [730, [0, 400, 800]],
])('the axis for values up to %d has the marks %j', (max, marks) => {
  expect(getAxisMarks(max)).toEqual(marks)
})

const series = [
  { name: 'web', label: 'Web', colour: 'var(--f-chart-1)' },
  { name: 'phone', label: 'Phone', colour: 'var(--f-chart-2)' },
]
const weeks: ChartColumn[] = [
  { key: 'first', label: '2 Nov', title: 'Week of 2 Nov', values: { web: 1, phone: 2 } },
  { key: 'second', label: '9 Nov', title: 'Week of 9 Nov', values: {} },
  { key: 'third', label: '16 Nov', title: 'Week of 16 Nov', values: { web: 4 } },
]

type LinkProps = { className: string | undefined; children?: ReactNode }

const renderLink = ({ key }: { key: string }, { children, ...link }: LinkProps) => (
  <a key={key} href={`#${key}`} {...link}>
    {children}
  </a>
)

const renderColumns = () =>
  render(
    <ColumnChart caption="New contacts" columnHeading="Week" series={series} columns={weeks} format={String} renderLink={renderLink} />,
  )

test('a column chart has a table for screen readers', () => {
  renderColumns()
  const table = screen.getByRole('table', { name: 'New contacts' })
  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Week', 'Web', 'Phone', 'Total'],
    ['Week of 2 Nov', '1', '2', '3'],
    ['Week of 9 Nov', '0', '0', '0'],
    ['Week of 16 Nov', '4', '0', '4'],
  ])
})

test('every column is a link with its values as label; Tab focuses the last column, and the arrow keys focus the others', () => {
  renderColumns()
  const links = screen.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('aria-label'))).toEqual([
    'Week of 2 Nov: 3, Web 1, Phone 2',
    'Week of 9 Nov: 0',
    'Week of 16 Nov: 4, Web 4',
  ])
  expect(links.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0])
  links[2]?.focus()
  fireEvent.keyDown(document.activeElement ?? document, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(links[1])
  fireEvent.keyDown(document.activeElement ?? document, { key: 'Home' })
  expect(document.activeElement).toBe(links[0])
  fireEvent.keyDown(document.activeElement ?? document, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(links[0])
  expect(links.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
})

test('the length of a bar is relative to the longest bar', () => {
  const { container } = render(
    <BarChart
      caption="Open deals"
      headings={['Stage', 'Deals', 'Value']}
      bars={[
        { key: 'lead', label: 'Lead', colour: 'red', whole: 50, part: 5, valueLabel: '£50', cells: ['1', '£50'] },
        { key: 'proposal', label: 'Proposal', colour: 'blue', whole: 200, part: 100, valueLabel: '£200', cells: ['3', '£200'] },
      ]}
      renderLink={renderLink}
    />,
  )
  expect([...container.querySelectorAll('rect')].map((bar) => bar.getAttribute('width'))).toEqual(['25%', '2.5%', '100%', '50%'])
  expect(screen.getByRole('link', { name: /^Lead ?£50 ?, deals 1$/ }).title).toBe('Deals 1, value £50')
  expect(within(screen.getByRole('table', { name: 'Open deals' })).getByRole('rowheader', { name: 'Proposal' })).toBeTruthy()
})

test('bars of zero have no length', () => {
  const { container } = render(
    <BarChart
      caption="Open deals"
      headings={['Stage', 'Value']}
      bars={[{ key: 'lead', label: 'Lead', colour: 'red', whole: 0, part: 0, valueLabel: '£0', cells: ['£0'] }]}
      renderLink={renderLink}
    />,
  )
  expect(container.querySelector('rect')?.getAttribute('width')).toBe('0%')
})
