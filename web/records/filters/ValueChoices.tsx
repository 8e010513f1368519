import { TextInput } from '@mantine/core'
import { useQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import classes from './ConditionEditor.module.css'
import { tagsQuery, type TaggedKind } from '#web/records/kind/queries.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { linkedRecordQuery, useLinkChoices } from '#web/records/links/linkChoices.tsx'

type TagChoicesProps = {
  label: string
  kind: TaggedKind
  selected: readonly string[]
  onChange: (selected: string[]) => void
}

/** The maximum number of tags that are shown without a search field. */
const maxTagsWithoutSearch = 8

/** Selects several of the tags in use. The most used tags come first, with the number of their records. */
export function TagChoices({ label, kind, selected, onChange }: TagChoicesProps) {
  const { data, isPending } = useQuery(tagsQuery(kind))
  const [searchText, setSearchText] = useState('')
  const tags = data?.tags ?? []
  const usedChoices = tags.map(({ tag, count }) => ({ value: tag, label: tag, detail: formatNumber(count) }))
  const unusedTags = selected.filter((tag) => !tags.some((each) => each.tag === tag))
  const unusedChoices = unusedTags.map((tag) => ({ value: tag, label: tag, detail: '0' }))
  const allChoices = [...unusedChoices, ...usedChoices]
  const isMatch = (tag: string): boolean => tag.toLowerCase().includes(searchText.trim().toLowerCase())
  const visibleChoices = allChoices.filter(({ value }) => isMatch(value) || selected.includes(value))
  return (
    <>
      {allChoices.length > maxTagsWithoutSearch && (
        <TextInput
          aria-label="Find a tag"
          placeholder="Find a tag"
          value={searchText}
          onChange={(event) => setSearchText(event.currentTarget.value)}
        />
      )}
      <CheckboxList label={label} choices={visibleChoices} selected={selected} onChange={onChange} />
      {visibleChoices.length === 0 && (
        <p className={classes['none']}>{isPending ? 'Loading' : 'No tags yet. Select some rows and tag them.'}</p>
      )}
    </>
  )
}

type LinkChoicesProps = { label: string; linkedKind: KindName; selected: readonly string[]; onChange: (selected: string[]) => void }

/** Selects several records, which the server finds by the typed text. Selected records stay visible. */
export function LinkChoices({ label, linkedKind, selected, onChange }: LinkChoicesProps) {
  const [searchText, setSearchText] = useState('')
  const { result } = useLinkChoices(linkedKind, searchText)
  const selectedRecords = useQueries({ queries: selected.map((id) => linkedRecordQuery(linkedKind, id)) })
  const { plural } = recordKinds[linkedKind]
  const selectedChoices = selected.map((id, index) => ({
    value: id,
    label: selectedRecords[index]?.data?.title ?? '…',
    detail: selectedRecords[index]?.data?.detail ?? '',
  }))
  const others = (result.data ?? []).filter(({ id }) => !selected.includes(id))
  return (
    <>
      <TextInput
        aria-label={`Search ${plural}`}
        placeholder={`Search ${plural}`}
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
      />
      <CheckboxList
        label={label}
        choices={[...selectedChoices, ...others.map(({ id, title, detail }) => ({ value: id, label: title, detail }))]}
        selected={selected}
        onChange={onChange}
      />
      {result.data?.length === 0 && <p className={classes['none']}>No {plural} found</p>}
    </>
  )
}
