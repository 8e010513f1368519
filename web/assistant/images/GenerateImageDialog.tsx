import '#web/ui/dialogs.css'
import { Button, Modal, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import { imageFunctionRoutes } from '#contract/aiFunctions.ts'
import { recordKinds } from '#contract/kinds.ts'
import { useAi } from '#web/lib/aiState.ts'
import { callForChange } from '#web/lib/client.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { readFromTab, removeFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { AiOffNotice } from '#web/ui/AiOffNotice.tsx'
import classes from '#web/ui/DialogForm.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

/** The name under which the tab stores the description, until a picture was made from it. */
const storageName = 'image description'
const errorTitle = 'Error generating image'
const doneTitle = 'Image generated!'

/** Makes a picture from a description and saves it in Files. Enter makes it, Shift+Enter begins a new line. */
export function GenerateImageDialog({ onClose }: { onClose: () => void }) {
  const [prompt, setPrompt] = useState(() => readFromTab(storageName, z.string()) ?? '')
  const problem = useAi().findProblem('images')
  const router = useRouter()
  useReturnFocus()
  const generation = useMutation({
    mutationFn: (text: string) => callForChange(imageFunctionRoutes.aiImageGen, { body: { prompt: text } }),
    onError: (error) => toastError(error, errorTitle),
    onSuccess: ({ response: { imageUrl, file }, changeId }, text) => {
      if (imageUrl === '') return toast({ kind: 'error', title: errorTitle, message: 'No image URL returned' })
      // the dialog may have been closed, and opened again for another picture
      if (readFromTab(storageName, z.string()) === text) removeFromTab(storageName)
      storeForUndo(changeId, doneTitle)
      const address = findKindDisplay('file')?.addressOf({ id: file.id })
      const open = address === undefined ? undefined : { label: 'Open', run: () => void router.navigate({ href: address }) }
      toast({ kind: 'success', title: doneTitle, message: 'Your AI-generated image has been saved to your files.', action: open })
    },
    onSettled: () => void refreshTables([recordKinds.file.table]), // the dialog does not wait for it
  })
  const canGenerate = prompt.trim() !== '' && !generation.isPending && problem === undefined
  const change = (text: string): void => {
    setPrompt(text)
    storeInTab(storageName, text)
  }
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault()
    if (!canGenerate) return
    // called only if this dialog is still open
    generation.mutate(prompt, { onSuccess: ({ response: { imageUrl } }) => (imageUrl === '' ? undefined : onClose()) })
  }
  return (
    <Modal opened onClose={onClose} title="Generate image" size={480}>
      <form className={classes['form']} onSubmit={submit} noValidate>
        {problem !== undefined && <AiOffNotice text={problem} />}
        <Textarea
          label="Description"
          placeholder="Describe the image you want to create..."
          rows={4}
          data-autofocus
          value={prompt}
          disabled={generation.isPending}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
          }}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canGenerate}>
            {generation.isPending ? 'Generating...' : 'Generate'}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
