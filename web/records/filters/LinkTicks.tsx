import { TextInput } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import classes from './ConditionEditor.module.css'
import type { Linked } from '#web/records/links/linked.ts'
import { linkedKinds, linkName } from '#web/records/links/linkedKinds.ts'
import { useLinkChoices } from '#web/records/links/useLinkChoices.ts'

type LinkTicksProps = { label: string; to: Linked; chosen: readonly string[]; onChange: (chosen: string[]) => void }

/** Records to choose several from, found on the server by typing. What is chosen stays in sight. */
export function LinkTicks({ label, to, chosen, onChange }: LinkTicksProps) {
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
