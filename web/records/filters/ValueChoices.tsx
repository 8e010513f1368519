import { TextInput } from '@mantine/core'
import { useQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import classes from './ConditionEditor.module.css'
import { tagsInUse, type TaggedKind } from '#web/records/kind/queries.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { linkedRecord, useLinkChoices } from '#web/records/links/linkChoices.tsx'

type TagChoicesProps = {
  label: string
  kind: TaggedKind
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** With more tags than this, a search field is shown. */
const maxTagsWithoutSearch = 8

/** A list of the tags in use, the most used first. Several can be selected. */
export function TagChoices({ label, kind, chosen, onChange }: TagChoicesProps) {
  const { data, isPending } = useQuery(tagsInUse(kind))
  const [typed, setTyped] = useState('')
  const usage = data?.tags ?? []
  const unusedChoices = chosen
    .filter((tag) => !usage.some((each) => each.tag === tag))
    .map((value) => ({ value, label: value, about: '0' }))
  const all = [...unusedChoices, ...usage.map(({ tag, count: number }) => ({ value: tag, label: tag, about: formatNumber(number) }))]
  const matches = all.filter((tag) => tag.label.toLowerCase().includes(typed.trim().toLowerCase()) || chosen.includes(tag.value))
  return (
    <>
      {all.length > maxTagsWithoutSearch && (
        <TextInput
          aria-label="Find a tag"
          placeholder="Find a tag"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <CheckboxList label={label} choices={matches} chosen={chosen} onChange={onChange} />
      {matches.length === 0 && <p className={classes['none']}>{isPending ? 'Loading' : 'No tags yet. Select some rows and tag them.'}</p>}
    </>
  )
}

type LinkChoicesProps = { label: string; to: KindName; chosen: readonly string[]; onChange: (chosen: string[]) => void }

/** A list of records that the server finds by the typed text. Several can be selected; selected ones stay visible. */
export function LinkChoices({ label, to, chosen, onChange }: LinkChoicesProps) {
  const [typed, setTyped] = useState('')
  const { result } = useLinkChoices(to, typed)
  const selectedRecords = useQueries({ queries: chosen.map((id) => linkedRecord(to, id)) })
  const { plural } = recordKinds[to]
  const selectedChoices = chosen.map((value, index) => ({
    value,
    label: selectedRecords[index]?.data?.title ?? '…',
    about: selectedRecords[index]?.data?.detail ?? '',
  }))
  const others = (result.data ?? []).filter(({ id }) => !chosen.includes(id))
  return (
    <>
      <TextInput
        aria-label={`Search ${plural}`}
        placeholder={`Search ${plural}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <CheckboxList
        label={label}
        choices={[...selectedChoices, ...others.map(({ id, title, detail }) => ({ value: id, label: title, about: detail }))]}
        chosen={chosen}
        onChange={onChange}
      />
      {result.data?.length === 0 && <p className={classes['none']}>No {plural} found</p>}
    </>
  )
}
