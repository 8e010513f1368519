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
  /** The saved link with the title of its record, which then is not loaded. */
  savedLink?: { id: string | null; title: string } | undefined
  /** The id of a record that cannot be selected, such as the edited one. */
  excludedId?: string | undefined
  /** Called with the id of the selected record, or with null if the user selects None. */
  onSelect?: (id: string | null) => void
}

const none = { value: '', label: 'None' }

/** A link to another record, which the server finds by the typed text. The value is the id of the record, or null. */
export function LinkField({ editor, field, to, savedLink, excludedId, onSelect }: LinkFieldProps) {
  const { form, labels } = editor
  const selectedId = toText(form.getValues()[field]) || null
  const selectedTitle = useLinkedTitle(to, selectedId, savedLink)
  const [text, setText] = useState('')
  // the title of the selected record is not a search
  const searchText = text === selectedTitle || text === none.label ? '' : text
  const [hasOpened, setHasOpened] = useState(false)
  const { result, search } = useLinkChoices(to, searchText, hasOpened)
  const choices = (result.data ?? []).filter(({ id }) => id !== excludedId)
  const details = new Map(choices.map((choice) => [choice.id, choice.detail]))
  const isFound = choices.some(({ id }) => id === selectedId)
  const selectedOption = selectedId && !isFound ? [{ value: selectedId, label: selectedTitle }] : []
  const { plural } = recordKinds[to]
  const address = selectedId === null ? undefined : findKindByName(to)?.addressOf({ id: selectedId })
  const foundOptions = choices.map(({ id, title }) => ({ value: id, label: title }))
  const select = (id: string | null): void => {
    form.setFieldValue(field, id)
    onSelect?.(id)
  }
  /** Enter selects the first record of the result. If there is none, Enter does nothing, so that the typed text is not lost. */
  const handleKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { currentTarget: input, key } = event
    const isOpen = input.getAttribute('aria-expanded') === 'true'
    const hasActiveOption = Boolean(input.getAttribute('aria-activedescendant'))
    if (key !== 'Enter' || !isOpen || hasActiveOption || searchText === '') return onDropdownKeyDown(event)
    event.preventDefault()
    const isResultOfText = !result.isPlaceholderData && search === searchText
    const first = isResultOfText ? foundOptions[0] : undefined
    if (!first) return
    select(first.value)
    setText(first.label)
  }
  return (
    <RecordField editor={editor} field={field} renderValue={renderTitleById(to)}>
      <Select
        label={<FieldLabel editor={editor} field={field} />}
        name={field}
        placeholder={`Search ${plural}`}
        searchable
        allowDeselect={false}
        data={searchText === '' ? [none, ...selectedOption, ...foundOptions] : foundOptions}
        filter={({ options }) => options}
        renderOption={({ option }) => <LinkOption title={option.label} detail={details.get(option.value)} />}
        nothingFoundMessage={result.isFetching ? 'Searching' : `No ${to} found`}
        searchValue={text}
        onSearchChange={setText}
        onDropdownOpen={() => setHasOpened(true)}
        {...form.getInputProps(field)}
        value={selectedId}
        onChange={(id) => select(id || null)}
        onFocus={(event) => event.currentTarget.select()} // so that typing replaces the title
        onKeyDown={handleKey}
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

/** Returns the title of the linked record; an empty text until the title is loaded. */
function useLinkedTitle(kind: KindName, id: string | null, savedLink: LinkFieldProps['savedLink']): string {
  const savedTitle = id !== null && id === savedLink?.id ? savedLink.title : undefined
  const { data } = useQuery({ ...linkedRecordQuery(kind, id ?? ''), enabled: id !== null && savedTitle === undefined })
  return savedTitle ?? data?.title ?? ''
}

/** A record in the dropdown of a link field: its title and a detail. */
export const LinkOption = ({ title, detail }: { title: string; detail: string | undefined }) => (
  <span className={classes['choice']}>
    {title} <span>{detail}</span>
  </span>
)
