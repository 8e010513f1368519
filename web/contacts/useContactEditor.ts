import { schemaResolver, useForm, type FormErrors } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ContactFields, type Contact } from '#contract/contacts.ts'
import type { Problem } from '#contract/errors.ts'
import { ProblemError } from '#web/lib/client.ts'
import { useDirtyEditor } from '#web/lib/editors.ts'
import { useSession } from '#web/lib/session.ts'
import { toastError } from '#web/lib/toasts.ts'
import { settle, type Choices, type Conflict, type Edit } from './conflicts.ts'
import { changesFrom, contactFields, valuesOf, type ContactValues } from './contactValues.ts'
import { dropDraft, findDraft, keepDraft } from './drafts.ts'
import { addContact, updateContact } from './saving.ts'

export type ContactEditor = ReturnType<typeof useContactEditor>

/** One contact while it is typed: what changed, what is wrong, what somebody else changed meanwhile, and saving it. */
export function useContactEditor(contact: Contact | undefined) {
  const draftName = `foyer-contact ${useSession().user.id} ${contact?.id ?? 'new'}`
  const [draft, setDraft] = useState(() => findDraft(draftName))
  const [start, setStart] = useState(() => draft ?? startOf(contact))
  const [matches, setMatches] = useState<Problem['matches']>()
  const [conflict, setConflict] = useState<Conflict>()
  const [choices, setChoices] = useState<Choices>({})
  const form = useForm<ContactValues>({
    initialValues: start.values,
    validate: (values) => wrongFields(values, contact && changesFrom(start.base, values)),
  })
  const { values } = form
  const dirty = Object.keys(changesFrom(start.base, values)).length > 0
  useDirtyEditor(dirty)
  useEffect(() => {
    if (dirty) keepDraft(draftName, { ...start, values })
    else dropDraft(draftName)
  }, [dirty, draftName, start, values])

  const begin = (edit: Edit) => {
    setStart(edit)
    form.setValues(edit.values)
  }
  const saving = useMutation({
    mutationFn: ({ edit, allowDuplicate }: { edit: Edit; allowDuplicate: boolean }) => save(contact, edit, allowDuplicate),
    onSuccess: () => dropDraft(draftName),
    onError: (error, { edit }) => {
      const problem = error instanceof ProblemError ? error.problem : undefined
      if (problem?.matches) return setMatches(problem.matches)
      if (problem?.fields && showWrong(problem.fields)) return
      if (!problem?.conflict) return toastError(error)
      begin(edit)
      setConflict(problem.conflict)
      setChoices({})
    },
  })

  /** Says what is wrong; the first wrong field gets the focus. False when it is no field of this form. */
  const showWrong = (errors: FormErrors): boolean => {
    form.setErrors(errors)
    const first = contactFields.find((field) => field in errors)
    if (first) form.getInputNode(first)?.focus()
    return first !== undefined
  }

  return {
    form,
    dirty,
    draftFound: draft !== undefined,
    saving: saving.isPending,
    matches,
    conflict,
    choices,
    choose: (field: keyof ContactValues, side: 'yours' | 'theirs') => setChoices({ ...choices, [field]: side }),
    /** Checks and saves, then goes on. Without a change there is nothing to save. */
    save: (onSaved: () => void, allowDuplicate = false) => {
      if (saving.isPending) return
      const { hasErrors, errors } = form.validate()
      if (hasErrors) return void showWrong(errors)
      setMatches(undefined)
      const edit = { ...start, values }
      saving.mutate({ edit: conflict ? settle(edit, conflict, choices) : edit, allowDuplicate }, { onSuccess: onSaved })
    },
    startOver: () => {
      setDraft(undefined)
      begin(startOf(contact))
    },
    forget: () => dropDraft(draftName),
  }
}

const startOf = (contact: Contact | undefined): Edit => ({
  base: valuesOf(contact),
  version: contact?.version ?? 0,
  values: valuesOf(contact),
})

async function save(contact: Contact | undefined, { base, version, values }: Edit, allowDuplicate: boolean): Promise<Contact | undefined> {
  const changes = changesFrom(base, values)
  if (!contact) return addContact(changes, allowDuplicate)
  if (Object.keys(changes).length === 0) return undefined
  return updateContact(contact.id, changes, version)
}

const check = schemaResolver<true>(ContactFields, { sync: true })

/** A sentence for each wrong field. What an import brought and nobody touched is left alone. */
function wrongFields(values: ContactValues, touched: Partial<ContactValues> | undefined): FormErrors {
  const errors = check(values)
  return touched ? Object.fromEntries(Object.entries(errors).filter(([field]) => field in touched)) : errors
}
