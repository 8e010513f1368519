import { useEffect } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import * as z from 'zod/mini'
import { ProblemError } from './client.ts'
import { toastError } from './toasts.ts'

/** Checks the values of a form with a schema of the contract. Returns a message for each wrong field, by its path. */
export function fieldErrors(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const read = z.safeParse(schema, values)
  const sentences: Record<string, string> = {}
  for (const { path, message } of read.success ? [] : read.error.issues) sentences[path.join('.')] ??= message
  return sentences
}

type Form = { setErrors: (errors: Record<string, string>) => void; getInputNode: (path: string) => HTMLElement | null }

/** The submit handler of a form. Calls `send` with valid values; otherwise the first wrong field takes the focus. */
export const submitHandler = <Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, 'onSubmit' | 'getInputNode'>,
  send: (values: Values) => void,
) => form.onSubmit(send, (errors) => void focusFirst(form, errors))

/** Shows why a form was refused: beside the wrong fields where the server names them, else in a toast. */
export function showFailure(form: Form, error: unknown): void {
  const fields = error instanceof ProblemError ? error.problem.fields : undefined
  if (!fields || !focusFirst(form, fields)) return toastError(error)
  form.setErrors(fields)
}

/** Moves the focus to the first wrong field in the order of the screen. False when none of the fields is shown. */
export function focusFirst({ getInputNode }: Pick<Form, 'getInputNode'>, errors: object): boolean {
  const nodes = Object.keys(errors).flatMap((path) => getInputNode(path) ?? [])
  const [first] = nodes.toSorted((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  first?.focus()
  return first !== undefined
}

const unsavedForms = new Set<symbol>()

/** Registers unsaved input while `isDirty`: when the session ends meanwhile, the password is asked for without leaving the page. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    unsavedForms.add(form)
    return () => void unsavedForms.delete(form)
  }, [isDirty])
}

export const hasUnsavedWork = (): boolean => unsavedForms.size > 0
