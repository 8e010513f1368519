import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { count } from '#web/lib/format.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import classes from './ConditionEditor.module.css'
import { tagsInUse, type TaggedRoutes } from '#web/records/tags.ts'

type TagTicksProps = {
  label: string
  table: string
  routes: TaggedRoutes
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** More than these are found by typing. */
const fewTags = 8

/** Tags to choose several from: those in use, the most used first. */
export function TagTicks({ label, table, routes, chosen, onChange }: TagTicksProps) {
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
