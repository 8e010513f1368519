import { IconSearch } from '@tabler/icons-react'
import { useLayoutEffect, useRef, type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './PaletteDialog.module.css'

type PaletteDialogProps = {
  dialog: RefObject<HTMLDialogElement | null>
  typedText: string
  onType: (text: string) => void
  onKeyDown?: (event: KeyboardEvent) => void
  onClose: () => void
  /** False for the loaded palette if it replaces `DialogWhileLoading`, which has been animated already. */
  isAnimated: boolean
  inputProps?: ComponentProps<'input'>
  children?: ReactNode
}

/** The dialog of the palette with its text field. Its code is loaded with the page, so that it appears before the palette is loaded. */
export const PaletteDialog = ({ dialog, typedText, onType, onKeyDown, onClose, isAnimated, inputProps, children }: PaletteDialogProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the dialog handles the keys of its input and clicks on the backdrop
  <dialog
    ref={dialog}
    className={classes['palette']}
    data-animated={isAnimated || undefined}
    aria-label="Search and commands"
    aria-modal="true"
    // the event comes after React has removed this dialog for the loaded palette, which must stay open; `dialog.current` is then null
    onClose={() => dialog.current?.open === false && onClose()}
    onKeyDown={onKeyDown}
    onClick={(event) => event.target === dialog.current && onClose()} // a click on the backdrop has the dialog as its target
  >
    <div className={classes['box']}>
      <div className={classes['search']}>
        <IconSearch size={20} stroke={1.75} aria-hidden />
        <input
          dir="auto"
          aria-label="Search and commands"
          placeholder="Search or type a command"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typedText}
          onChange={(event) => onType(event.currentTarget.value)}
          {...inputProps}
        />
        <span className={classes['esc']}>
          <Shortcut keys={['Esc']} />
        </span>
        <button type="button" className={classes['cancel']} onClick={onClose}>
          Cancel
        </button>
      </div>
      {children}
    </div>
  </dialog>
)

/** Opens the native dialog as a modal: it traps the focus, closes on Escape and restores the focus. */
export function useModalDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    const input = element?.querySelector('input')
    input?.focus()
    return () => element?.close()
  }, [])
  return dialog
}
