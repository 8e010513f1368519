import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fieldTypes, type FormField } from '#contract/formFields.ts'
import { FieldList } from './FieldList.tsx'

const makeField = (number: number, label: string): FormField => ({
  id: `01930000-0000-7000-8000-0000000000f${number}`,
  field_name: '',
  field_label: label,
  field_type: 'text',
  is_required: false,
  placeholder: '',
  options: [],
})

/** A list with three fields, which takes no more. */
function ExampleFields() {
  const [fields, setFields] = useState([makeField(1, 'Floor'), makeField(2, 'Lift'), makeField(3, 'Parking')])
  return (
    <FieldList
      label="Questions"
      addLabel="Add question"
      maxFields={3}
      types={fieldTypes}
      fields={fields}
      savedFields={[]}
      errors={{}}
      onChange={setFields}
    />
  )
}

const getOrder = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('aria-label'))
const sendPointerEvent = (name: string, y: number, target: EventTarget = window): void => {
  const init = { bubbles: true, cancelable: true, clientY: y, pointerId: 1, pointerType: 'mouse', isPrimary: true, button: 0 }
  act(() => void target.dispatchEvent(new PointerEvent(name, init)))
}

beforeEach(() => {
  // each row is 100 px high, and the first one is at the top of the window
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function getBox(this: HTMLElement) {
    const index = [...document.querySelectorAll('[data-field-row]')].indexOf(this)
    return new DOMRect(0, Math.max(index, 0) * 100, 500, 100)
  })
})

test('after a field is removed, the focus is on the field that takes its place, and not on a button that removes it', () => {
  render(<ExampleFields />, { wrapper: MantineProvider })
  const press = (name: string): string | null | undefined => {
    const button = screen.getByRole('button', { name })
    button.focus()
    fireEvent.click(button)
    return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  }
  expect(press('Remove Lift')).toBe('Move Parking')
  expect(press('Remove Parking')).toBe('Move Floor')
  expect(press('Remove Floor')).toBe('Add question')
})

test('the help of a hidden field without a name shows the parameter that it will have: from its label, or else its automatic name', () => {
  const hidden = { ...makeField(1, 'Ad-Quelle'), field_type: 'hidden' as const }
  const fields = [hidden, { ...hidden, id: makeField(2, '').id, field_label: '来源' }]
  const savedFields = [{ ...makeField(3, 'Removed'), field_name: 'field_4' }]
  render(
    <FieldList
      label="Fields"
      addLabel="Add Field"
      maxFields={3}
      types={fieldTypes}
      fields={fields}
      savedFields={savedFields}
      errors={{}}
      onChange={() => {}}
    />,
    { wrapper: MantineProvider },
  )
  expect(screen.getAllByText(/^\?/).map(({ textContent }) => textContent)).toEqual(['?ad_quelle=fair', '?field_5=fair'])
  expect(screen.getAllByLabelText('Name (ID)').map((input) => input.getAttribute('placeholder'))).toEqual(['ad_quelle', 'field_5'])
})

test('Escape cancels a drag: the field moves back to where it was', () => {
  render(<ExampleFields />, { wrapper: MantineProvider })
  const handle = screen.getByRole('button', { name: 'Move Floor' })
  sendPointerEvent('pointerdown', 10, handle)
  sendPointerEvent('pointermove', 30)
  sendPointerEvent('pointermove', 260)
  expect(getOrder()).toEqual(['Lift', 'Parking', 'Floor'])
  fireEvent.keyDown(handle, { key: 'Escape' })
  expect(getOrder()).toEqual(['Floor', 'Lift', 'Parking'])
  sendPointerEvent('pointermove', 260)
  sendPointerEvent('pointerup', 260)
  expect(getOrder()).toEqual(['Floor', 'Lift', 'Parking'])
})
