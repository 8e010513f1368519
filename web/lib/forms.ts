import { useEffect } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import * as z from 'zod/mini'
import { ProblemError } from './client.ts'
import { toastError } from './toasts.ts'

/** Validates the values of a form with a schema of the contract. Returns the error messages by field path. */
export function getFieldErrors(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const result = z.safeParse(schema, values)
  if (result.success) return {}
  const messages: Record<string, string> = {}
  for (const { path, message } of result.error.issues) messages[path.join('.')] ??= message // the first one of each field
  return messages
}

type Form = { setErrors: (errors: Record<string, string>) => void; getInputNode: (path: string) => HTMLElement | null }

/** Creates the submit handler of a form. The handler calls `send` with valid values, otherwise it focuses the first invalid field. */
export const createSubmitHandler = <Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, 'onSubmit' | 'getInputNode'>,
  send: (values: Values) => void,
) =>
  form.onSubmit(send, (errors) => {
    focusFirstError(form, errors)
  })

/** Shows the error of a failed request: next to the invalid fields when the server returned field errors, else in a toast. */
export function showFailure(form: Form, error: unknown): void {
  const fields = error instanceof ProblemError ? error.problem.fields : undefined
  if (!fields || !focusFirstError(form, fields)) return toastError(error)
  form.setErrors(fields)
}

/**
 * Empties a form after its values were saved, so that the next record can be typed. A field that the user has changed since the request was
 * sent keeps its value.
 */
export function resetAfterSave<Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, 'getValues' | 'reset' | 'setValues'>,
  sent: Values,
): void {
  const laterChanges = { ...form.getValues() }
  for (const name in sent) if (JSON.stringify(laterChanges[name]) === JSON.stringify(sent[name])) delete laterChanges[name]
  form.reset()
  form.setValues(laterChanges)
}

/** Focuses the first invalid field in document order. Returns false when none of the fields is shown. */
export function focusFirstError({ getInputNode }: Pick<Form, 'getInputNode'>, errors: object): boolean {
  const nodes = Object.keys(errors).flatMap((path) => getInputNode(path) ?? [])
  const isBefore = (one: Node, other: Node): boolean => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
  const [first] = nodes.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  first?.focus()
  return first !== undefined
}

const unsavedWork = new Set<symbol>()

/** Registers a form while it has unsaved input. If the session ends meanwhile, a dialog asks for the password and the page stays open. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => (isDirty ? trackUnsavedWork() : undefined), [isDirty])
}

/** Does the same as `useUnsavedWork` outside of components, until the returned function is called. */
export function trackUnsavedWork(): () => void {
  const work = Symbol('unsaved work')
  unsavedWork.add(work)
  return () => void unsavedWork.delete(work)
}

/** Returns true when this tab has unsaved input or runs uploads. */
export const hasUnsavedWork = (): boolean => unsavedWork.size > 0
