import type { KeyboardEvent } from 'react'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { toSlug } from '#contract/slugs.ts'
import { parseNumber } from '#web/lib/numbers.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { toFormValue, toText } from '#web/records/form/fields.ts'
import { ChoiceField, MultilineField, NumberField, TextField, type FieldProps } from '#web/records/form/RecordInputs.tsx'
import { ColourField } from './ColourField.tsx'
import { AvailabilityField } from './hours/AvailabilityField.tsx'
import { formatMinutes } from './minutes.ts'
import { getPublicAddress } from './publicAddress.ts'
import { QuestionsField } from './questions/QuestionsField.tsx'

const stepChoices = [5, 10, 15, 20, 30, 45, 60, 90, 120]
const bufferChoices = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120]
const noticeChoices = [0, 30, 60, 120, 240, 480, 1440, 2880, 4320, 10_080]

/** The inputs of the fields of a booking link. */
export const bookingLinkInputs: FieldInputs<BookingLink> = {
  title: TitleField,
  slug: SlugField,
  description: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
  duration_minutes: DurationField,
  color: ColourField,
  availability: AvailabilityField,
  questions: QuestionsField,
  step_minutes: ({ editor, field }) => <MinutesField editor={editor} field={field} choices={stepChoices} />,
  window_days: ({ editor, field }) => <NumberField editor={editor} field={field} required inputMode="numeric" />,
  notice_minutes: ({ editor, field }) => <MinutesField editor={editor} field={field} choices={noticeChoices} zeroLabel="None" />,
  cutoff_minutes: ({ editor, field }) => (
    <MinutesField editor={editor} field={field} choices={noticeChoices} zeroLabel="The start" suffix=" before the start" />
  ),
  buffer_before_minutes: ({ editor, field }) => <MinutesField editor={editor} field={field} choices={bufferChoices} zeroLabel="None" />,
  buffer_after_minutes: ({ editor, field }) => <MinutesField editor={editor} field={field} choices={bufferChoices} zeroLabel="None" />,
  max_per_day: ({ editor, field }) => <NumberField editor={editor} field={field} inputMode="numeric" placeholder="No limit" />,
  max_per_visitor: ({ editor, field }) => <NumberField editor={editor} field={field} inputMode="numeric" placeholder="No limit" />,
}

/** The title. In a form that adds a booking link and has its address, the address follows the title until the user types an address. */
function TitleField({ editor, field, record }: FieldProps & { record: BookingLink | undefined }) {
  const { form } = editor
  const generateSlug = (title: string): void => {
    const { slug } = form.getValues()
    const isGenerated = slug !== undefined && toText(slug) === toSlug(toText(form.getValues()[field]))
    form.setFieldValue(field, title)
    if (!record && isGenerated) form.setFieldValue('slug', toSlug(title))
  }
  return (
    <TextField
      editor={editor}
      field={field}
      required
      data-autofocus
      maxLength={200}
      onChange={(event) => generateSlug(event.currentTarget.value)}
    />
  )
}

/** The address of the public page. While a booking link is added, an emptied address is generated from the title again. */
function SlugField({ editor, field, record }: FieldProps & { record: BookingLink | undefined }) {
  const { form } = editor
  const slug = toSlug(toText(form.getValues()[field]))
  const restoreSlug = (): void => {
    if (!record && slug === '') form.setFieldValue(field, toSlug(toText(form.getValues()['title'])))
  }
  return (
    <TextField
      editor={editor}
      field={field}
      required
      maxLength={200}
      description={slug === '' ? undefined : getPublicAddress(slug)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onBlur={restoreSlug}
    />
  )
}

const durationStepMinutes = 15

/** The duration in minutes. The arrow keys change it by 15. */
function DurationField({ editor, field }: FieldProps) {
  const { form } = editor
  const step = (event: KeyboardEvent): void => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const minutes = parseNumber(toText(form.getValues()[field])) ?? 0
    if (direction === undefined) return
    event.preventDefault()
    const rounded = Math.round(minutes / durationStepMinutes + direction) * durationStepMinutes
    form.setFieldValue(field, toFormValue(Math.max(durationStepMinutes, rounded)))
  }
  return (
    <NumberField
      editor={editor}
      field={field}
      required
      inputMode="numeric"
      rightSection={<span aria-hidden>min</span>}
      rightSectionWidth={48}
      onKeyDown={step}
    />
  )
}

type MinutesFieldProps = FieldProps & { choices: readonly number[]; zeroLabel?: string; suffix?: string }

/** A select with lengths of time. A value that is not among them, such as one from the API, is shown too. */
function MinutesField({ editor, field, choices, zeroLabel, suffix = '' }: MinutesFieldProps) {
  const current = parseNumber(toText(editor.form.getValues()[field]))
  const values = current === undefined || choices.includes(current) ? choices : [...choices, current].toSorted((one, other) => one - other)
  const options = values.map((minutes) => ({
    value: toText(toFormValue(minutes)),
    label: minutes === 0 && zeroLabel ? zeroLabel : formatMinutes(minutes) + suffix,
  }))
  return <ChoiceField editor={editor} field={field} required choices={options} />
}
