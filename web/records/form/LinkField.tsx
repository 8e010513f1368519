import '#web/ui/choices.css'
import { ActionIcon, Select } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ChangeEvent, type KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { toText } from './fields.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { findKindDisplay, type LinkChoice } from '#web/lib/features.ts'
import { queries } from '#web/lib/queries.ts'
import { AddOptionLabel, addOptionValue, makeAddOption, useAddRecord } from '#web/records/links/addOption.tsx'
import { linkedRecordQuery, renderTitleById, useLinkChoices, useTitledRecords } from '#web/records/links/linkChoices.tsx'
import type { FieldInputProps } from './FieldInput.tsx'
import { RecordField } from './RecordField.tsx'
import { FieldLabel, type FieldProps } from './RecordInputs.tsx'
import type { RecordEditor } from './useRecordEditor.ts'
import classes from './RecordInputs.module.css'

type LinkFieldProps = FieldProps & {
  /** The kind of the linked record. */
  linkedKind: KindName
  /** The saved link. If its record is selected, the field shows `title` without a request. */
  savedLink?: { id: string | null; title: string } | undefined
  /** The id of a record that cannot be selected, such as the edited one. */
  excludedId?: string | undefined
  /** Called with the id of the selected record, or with null if the user selects None. */
  onSelect?: (id: string | null) => void
}

/** The option that removes the link. */
const noneOption = { value: '', label: 'None' }

/**
 * A link to another record, which the server finds by the typed text. The value is the id of the record, null, or the typed text while no
 * record is selected; `linkFromText` in the schema of the kind refuses such a text.
 */
export function LinkField({ editor, field, linkedKind, savedLink, excludedId, onSelect }: LinkFieldProps) {
  const { form, labels } = editor
  const value = toText(form.getValues()[field])
  const selectedId = isId(value) ? value : null
  const selectedTitle = useLinkedTitle(linkedKind, selectedId, savedLink)
  const typedText = selectedId === null ? value : ''
  const [hasOpened, setHasOpened] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const { result, requestedText } = useLinkChoices(linkedKind, typedText, hasOpened || typedText !== '')
  const titleSearch = useTitledRecords(linkedKind, typedText)
  const { isAdding, addRecord } = useAddRecord(linkedKind)
  const choices = (result.data ?? []).filter(({ id }) => id !== excludedId)
  const details = new Map(choices.map((choice) => [choice.id, choice.detail]))
  const isFound = choices.some(({ id }) => id === selectedId)
  const selectedOption = selectedId && !isFound ? [{ value: selectedId, label: selectedTitle }] : []
  const { plural } = recordKinds[linkedKind]
  /** The dropdown covers the error message of the field, so this text says the same. */
  const nothingFoundMessage = `No ${linkedKind} found: add it first, or leave this empty`
  const address = selectedId === null ? undefined : findKindDisplay(linkedKind)?.addressOf({ id: selectedId })
  const foundOptions = choices.map(({ id, title }) => ({ value: id, label: title }))
  /** True if `result` belongs to the typed text, and not to an earlier text. */
  const isResultOfText = typedText !== '' && !result.isPlaceholderData && requestedText === typedText
  /** The records with the typed title: all of them if the kind can find records by title, or else those in the result of the search. */
  const exactMatches = titleSearch?.byTitle ? titleSearch.records : findTitled(isResultOfText ? choices : [], typedText)
  const exactMatch = titleSearch && exactMatches.length === 1 ? exactMatches[0] : undefined
  /** Adds a record with the typed title. Undefined if a record with this title exists, or if no records can be added. */
  const byTitle = titleSearch?.records.length === 0 ? titleSearch.byTitle : undefined
  const select = (choice: LinkChoice | undefined): void => {
    // so that the title is shown without another request
    if (choice) queries.setQueryData(linkedRecordQuery(linkedKind, choice.id).queryKey, choice)
    form.setFieldValue(field, choice?.id ?? null)
    onSelect?.(choice?.id ?? null)
  }
  const add = (): void => {
    if (!byTitle || isAdding) return
    void addRecord(byTitle, typedText, (choice) => {
      if (form.getValues()[field] !== typedText) return // the user has changed the text meanwhile
      select(choice)
      editor.saveInPlace?.()
    })
  }
  // when the user leaves the field, the only record with the typed title is selected
  useEffect(() => {
    if (hasFocus || !exactMatch) return
    select(exactMatch)
    editor.saveAfterLeaving?.()
    // oxlint-disable-next-line react/exhaustive-deps -- `select` is new on every render
  }, [hasFocus, exactMatch?.id])
  /**
   * Enter selects the record with the typed title, or the first record of the result, or adds a record if there is no other option. Without
   * any option it does nothing, so that the typed text is not lost.
   */
  const handleKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { currentTarget: input, key } = event
    const isOpen = input.getAttribute('aria-expanded') === 'true'
    const hasActiveOption = Boolean(input.getAttribute('aria-activedescendant')) // selected with the arrow keys
    if (key === 'Enter' && !isOpen && exactMatch) select(exactMatch) // before Enter saves the form
    if (key !== 'Enter' || !isOpen || hasActiveOption || typedText === '') return onDropdownKeyDown(event)
    event.preventDefault()
    if (!isResultOfText) return
    const choice = exactMatch ?? choices[0]
    if (!choice) return add()
    select(choice)
    editor.saveInPlace?.()
  }
  return (
    <RecordField editor={editor} field={field} renderValue={renderTitleById(linkedKind)}>
      <Select
        label={<FieldLabel editor={editor} field={field} />}
        name={field}
        placeholder={`Search ${plural}`}
        searchable
        allowDeselect={false}
        maxLength={200}
        data={
          typedText === ''
            ? [noneOption, ...selectedOption, ...foundOptions]
            : [...foundOptions, ...(byTitle ? [makeAddOption(typedText)] : [])]
        }
        filter={({ options }) => options} // the server has already filtered them
        renderOption={({ option }) =>
          option.value === addOptionValue ? (
            <AddOptionLabel label={option.label} />
          ) : (
            <LinkOption title={option.label} detail={details.get(option.value)} />
          )
        }
        nothingFoundMessage={result.isFetching || !titleSearch ? 'Searching' : nothingFoundMessage}
        onDropdownOpen={() => setHasOpened(true)}
        {...form.getInputProps(field)}
        value={value || null}
        onChange={(id) => (id === addOptionValue ? add() : select(choices.find((choice) => choice.id === id)))}
        // saves in a microtask, because Mantine calls `onOptionSubmit` before `onChange`
        onOptionSubmit={(id) => id !== addOptionValue && queueMicrotask(() => editor.saveInPlace?.())}
        // without `onSearchChange`, because Mantine calls it on blur with a text that the user has not typed
        searchValue={selectedId === null ? typedText : selectedTitle}
        onChangeCapture={(event: ChangeEvent<HTMLInputElement>) => {
          const text = event.currentTarget.value
          if (text.trim() === '') select(undefined)
          else form.setFieldValue(field, text)
        }}
        onFocus={(event) => {
          setHasFocus(true)
          event.currentTarget.select() // so that typing replaces the title
        }}
        onBlur={() => setHasFocus(false)}
        onKeyDown={handleKey}
        rightSectionPointerEvents="all"
        rightSection={
          address === undefined ? null : (
            <ActionIcon
              renderRoot={(props) => <Link to={address} target="_blank" {...props} />}
              size={26}
              aria-label={`Open ${labels[field]?.toLowerCase() ?? linkedKind} in a new tab`}
            >
              <IconExternalLink size={16} stroke={1.75} />
            </ActionIcon>
          )
        }
      />
    </RecordField>
  )
}

type LinkInputOptions<Full> = {
  /** Returns the link of the saved record. */
  getSavedLink: (record: Full) => LinkFieldProps['savedLink']
  /** Called with the id of the selected record, or with null if the user selects None. */
  onSelect?: (editor: RecordEditor, id: string | null) => unknown
}

/** Creates the input of a field that links to a record of another kind. */
export const createLinkInput = <Full,>(linkedKind: KindName, { getSavedLink, onSelect }: LinkInputOptions<Full>) =>
  function LinkInput({ editor, field, record }: FieldInputProps<Full>) {
    return (
      <LinkField
        editor={editor}
        field={field}
        linkedKind={linkedKind}
        savedLink={record && getSavedLink(record)}
        onSelect={(id) => void onSelect?.(editor, id)}
      />
    )
  }

const isId = (value: string): boolean => z.safeParse(z.uuid(), value).success

/** Returns the records whose title equals the text, ignoring case. */
function findTitled(choices: readonly LinkChoice[], text: string): LinkChoice[] {
  const toKey = (title: string): string => title.trim().toLowerCase()
  return choices.filter(({ title }) => toKey(title) === toKey(text))
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
