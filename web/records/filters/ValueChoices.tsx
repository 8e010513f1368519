import { TextInput } from '@mantine/core'
import { useQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { count } from '#web/lib/format.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import classes from './ConditionEditor.module.css'
import { tagsInUse, type TaggedRoutes } from '#web/records/kind/queries.ts'
import type { Linked } from '#web/records/kind/kind.ts'
import { linkedKinds, linkName, useLinkChoices } from '#web/records/links/linkedRecords.tsx'

type TagChoicesProps = {
  label: string
  table: string
  routes: TaggedRoutes
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** More than these are found by typing. */
const fewTags = 8

/** Tags to choose several from: those in use, the most used first. */
export function TagChoices({ label, table, routes, chosen, onChange }: TagChoicesProps) {
  const { data, isPending } = useQuery(tagsInUse(table, routes))
  const [typed, setTyped] = useState('')
  const used = data?.tags ?? []
  const gone = chosen.filter((tag) => !used.some((each) => each.tag === tag)).map((value) => ({ value, label: value, about: '0' }))
  const all = [...gone, ...used.map(({ tag, count: number }) => ({ value: tag, label: tag, about: count(number) }))]
  const found = all.filter((tag) => tag.label.toLowerCase().includes(typed.trim().toLowerCase()) || chosen.includes(tag.value))
  return (
    <>
      {all.length > fewTags && (
        <TextInput
          aria-label="Find a tag"
          placeholder="Find a tag"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <CheckboxList label={label} choices={found} chosen={chosen} onChange={onChange} />
      {found.length === 0 && <p className={classes['none']}>{isPending ? 'Loading' : 'No tags yet. Select some rows and tag them.'}</p>}
    </>
  )
}

type LinkChoicesProps = { label: string; to: Linked; chosen: readonly string[]; onChange: (chosen: string[]) => void }

/** Records to choose several from, found on the server by typing. What is chosen stays in sight. */
export function LinkChoices({ label, to, chosen, onChange }: LinkChoicesProps) {
  const [typed, setTyped] = useState('')
  const { found } = useLinkChoices(to, typed)
  const named = useQueries({ queries: chosen.map((id) => linkName(to, id)) })
  const { plural } = linkedKinds[to]
  const above = chosen.map((value, index) => ({ value, label: named[index]?.data?.name ?? '…', about: named[index]?.data?.about ?? '' }))
  const others = (found.data ?? []).filter(({ id }) => !chosen.includes(id))
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
        choices={[...above, ...others.map(({ id, name, about }) => ({ value: id, label: name, about }))]}
        chosen={chosen}
        onChange={onChange}
      />
      {found.data?.length === 0 && <p className={classes['none']}>No {plural} found</p>}
    </>
  )
}
