import { ActionIcon, Select } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { textOf } from './fields.ts'
import type { Linked } from '#web/records/kind/kind.ts'
import { linkedKinds, linkName, useLinkChoices, nameIn } from '#web/records/links/linkedRecords.tsx'
import { RecordField } from './RecordField.tsx'
import { FieldLabel, type FieldProps } from './RecordInputs.tsx'
import classes from './RecordInputs.module.css'

type LinkFieldProps = FieldProps & {
  /** What is linked to. */
  to: Linked
  /** How what is linked in the saved record is called, so that it need not be asked for. */
  saved?: { id: string | null; name: string } | undefined
  /** Never offered: a record does not lead to itself. */
  except?: string | undefined
  /** Told what was chosen; null for None. */
  onChoose?: (id: string | null) => void
}

const nobody = { value: '', label: 'None' }

/** A link to another record, which is found on the server by typing; None takes the link away. The field holds its id, or null. */
export function LinkField({ editor, field, to, saved, except, onChoose }: LinkFieldProps) {
  const { form, labels } = editor
  const chosen = textOf(form.getValues()[field]) || null
  const chosenName = useNameOf(to, chosen, saved)
  const [typed, setTyped] = useState('')
  const wantedText = typed === chosenName || typed === nobody.label ? '' : typed
  const [wanted, setWanted] = useState(false)
  const { found, search } = useLinkChoices(to, wantedText, wanted)
  const choices = (found.data ?? []).filter(({ id }) => id !== except)
  const about = new Map(choices.map((choice) => [choice.id, choice.about]))
  const current = chosen && !choices.some(({ id }) => id === chosen) ? [{ value: chosen, label: chosenName }] : []
  const { plural, to: address } = linkedKinds[to]
  const offered = choices.map(({ id, name }) => ({ value: id, label: name }))
  const choose = (id: string | null): void => {
    form.setFieldValue(field, id)
    onChoose?.(id)
  }
  /** Enter takes the first that was found; what nobody is called like must not be saved over in silence. */
  const takeFirst = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { currentTarget: input, key } = event
    const isOpen = input.getAttribute('aria-expanded') === 'true' && !input.getAttribute('aria-activedescendant')
    if (key !== 'Enter' || !isOpen || wantedText === '') return onDropdownKeyDown(event)
    event.preventDefault()
    const [first] = found.isPlaceholderData || search !== wantedText ? [] : offered
    if (!first) return
    choose(first.value)
    setTyped(first.label)
  }
  return (
    <RecordField editor={editor} field={field} show={nameIn(to)}>
      <Select
        label={<FieldLabel editor={editor} field={field} />}
        name={field}
        placeholder={`Search ${plural}`}
        searchable
        allowDeselect={false}
        data={wantedText !== '' ? offered : [nobody, ...current, ...offered]}
        filter={({ options }) => options}
        renderOption={({ option }) => <LinkChoice name={option.label} about={about.get(option.value)} />}
        nothingFoundMessage={found.isFetching ? 'Searching' : `No ${to} found`}
        searchValue={typed}
        onSearchChange={setTyped}
        onDropdownOpen={() => setWanted(true)}
        {...form.getInputProps(field)}
        value={chosen}
        onChange={(id) => choose(id || null)}
        onFocus={(event) => event.currentTarget.select()} // what is typed takes the place of the name
        onKeyDown={takeFirst}
        rightSectionPointerEvents="all"
        rightSection={
          chosen && (
            <ActionIcon
              renderRoot={(props) => <Link to={address} params={{ id: chosen }} target="_blank" {...props} />}
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

/** How what is chosen is called; empty until that is known. */
function useNameOf(noun: Linked, id: string | null, saved: LinkFieldProps['saved']): string {
  const known = id !== null && id === saved?.id ? saved.name : undefined
  const { data } = useQuery({ ...linkName(noun, id ?? ''), enabled: id !== null && known === undefined })
  return known ?? data?.name ?? ''
}

/** A record among the choices of a link: its name, and what tells it from others of that name. */
export const LinkChoice = ({ name, about }: { name: string; about: string | undefined }) => (
  <span className={classes['choice']}>
    {name} <span>{about}</span>
  </span>
)
