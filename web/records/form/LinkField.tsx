import '#web/ui/choices.css'
import { ActionIcon, Select } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { toText } from './fields.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { findKindByName } from '#web/lib/features.ts'
import { linkedRecordQuery, renderTitleById, useLinkChoices } from '#web/records/links/linkChoices.tsx'
import { RecordField } from './RecordField.tsx'
import { FieldLabel, type FieldProps } from './RecordInputs.tsx'
import classes from './RecordInputs.module.css'

type LinkFieldProps = FieldProps & {
  /** The kind of the linked record. */
  to: KindName
  /** The linked record as saved, so that its title need not be loaded. */
  saved?: { id: string | null; title: string } | undefined
  /** The id of a record that cannot be selected, such as the edited one. */
  excludedId?: string | undefined
  /** Null for None. */
  onChoose?: (id: string | null) => void
}

const none = { value: '', label: 'None' }

/** A link to another record, which the server finds by the typed text. The value is the id of the record, or null. */
export function LinkField({ editor, field, to, saved, excludedId, onChoose }: LinkFieldProps) {
  const { form, labels } = editor
  const chosen = toText(form.getValues()[field]) || null
  const chosenTitle = useLinkedTitle(to, chosen, saved)
  const [typed, setTyped] = useState('')
  const searchText = typed === chosenTitle || typed === none.label ? '' : typed
  const [hasOpened, setHasOpened] = useState(false)
  const { result, search } = useLinkChoices(to, searchText, hasOpened)
  const choices = (result.data ?? []).filter(({ id }) => id !== excludedId)
  const details = new Map(choices.map((choice) => [choice.id, choice.detail]))
  const current = chosen && !choices.some(({ id }) => id === chosen) ? [{ value: chosen, label: chosenTitle }] : []
  const { plural } = recordKinds[to]
  const address = chosen === null ? undefined : findKindByName(to)?.addressOf({ id: chosen })
  const selectOptions = choices.map(({ id, title }) => ({ value: id, label: title }))
  const choose = (id: string | null): void => {
    form.setFieldValue(field, id)
    onChoose?.(id)
  }
  /** Enter selects the first choice. Without a choice it does nothing, so that a text that matches no record is not lost. */
  const chooseFirst = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { currentTarget: input, key } = event
    const isOpen = input.getAttribute('aria-expanded') === 'true' && !input.getAttribute('aria-activedescendant')
    if (key !== 'Enter' || !isOpen || searchText === '') return onDropdownKeyDown(event)
    event.preventDefault()
    const [first] = result.isPlaceholderData || search !== searchText ? [] : selectOptions
    if (!first) return
    choose(first.value)
    setTyped(first.label)
  }
  return (
    <RecordField editor={editor} field={field} show={renderTitleById(to)}>
      <Select
        label={<FieldLabel editor={editor} field={field} />}
        name={field}
        placeholder={`Search ${plural}`}
        searchable
        allowDeselect={false}
        data={searchText !== '' ? selectOptions : [none, ...current, ...selectOptions]}
        filter={({ options }) => options}
        renderOption={({ option }) => <LinkOption title={option.label} detail={details.get(option.value)} />}
        nothingFoundMessage={result.isFetching ? 'Searching' : `No ${to} found`}
        searchValue={typed}
        onSearchChange={setTyped}
        onDropdownOpen={() => setHasOpened(true)}
        {...form.getInputProps(field)}
        value={chosen}
        onChange={(id) => choose(id || null)}
        onFocus={(event) => event.currentTarget.select()} // typing replaces the title
        onKeyDown={chooseFirst}
        rightSectionPointerEvents="all"
        rightSection={
          address === undefined ? null : (
            <ActionIcon
              renderRoot={(props) => <Link to={address} target="_blank" {...props} />}
              size={26}
              aria-label={`Open ${labels[field]?.toLowerCase() ?? to} in a new tab`}
            >
              <IconExternalLink size={16} stroke={1.75} />
            </ActionIcon>
          )
        }
      />
    </RecordField>
  )
}

/** The title of the linked record; empty until it is loaded. */
function useLinkedTitle(kind: KindName, id: string | null, saved: LinkFieldProps['saved']): string {
  const savedTitle = id !== null && id === saved?.id ? saved.title : undefined
  const { data } = useQuery({ ...linkedRecordQuery(kind, id ?? ''), enabled: id !== null && savedTitle === undefined })
  return savedTitle ?? data?.title ?? ''
}

/** A record in the list of choices. */
export const LinkOption = ({ title, detail }: { title: string; detail: string | undefined }) => (
  <span className={classes['choice']}>
    {title} <span>{detail}</span>
  </span>
)
