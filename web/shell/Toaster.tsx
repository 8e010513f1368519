import { useEffect, useRef, useState } from 'react'
import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useStore } from '#web/lib/store.ts'
import { dismissToast, toasts, type Toast } from '#web/lib/toasts.ts'
import { undoChange } from '#web/lib/undo.ts'
import classes from './Toaster.module.css'

const icons = { success: IconCircleCheck, error: IconAlertTriangle, info: IconInfoCircle }
/** The times after which a toast disappears. Errors and toasts with a button stay for the long time. */
const visibleMs = { short: 5000, long: 10_000 }

/** Shows the toasts. No toast disappears while the pointer or the focus is on one of them. */
export function Toaster() {
  const list = useStore(toasts)
  const section = useRef<HTMLElement>(null)
  const [hasPointer, setHasPointer] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const isPaused = hasPointer || hasFocus
  if (hasPointer && list.length === 0) setHasPointer(false) // a toast that is removed under the pointer may fire no event
  useEffect(() => {
    setHasFocus(section.current?.contains(document.activeElement) === true)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a button that is removed while it has the focus fires no blur event
  }, [list])
  const pauseHandlers = {
    onPointerEnter: () => setHasPointer(true),
    onPointerLeave: () => setHasPointer(false),
    onFocus: () => setHasFocus(true),
    onBlur: () => setHasFocus(false),
  }
  return (
    <section ref={section} className={classes['toaster']} aria-label="Notifications" {...pauseHandlers}>
      <div aria-live="polite" className={classes['list']}>
        {list.map((each) => (
          <ToastCard key={each.id} toast={each} isPaused={isPaused} />
        ))}
      </div>
    </section>
  )
}

function ToastCard({ toast, isPaused }: { toast: Toast; isPaused: boolean }) {
  const { id, title, message, kind, changeId, isLasting } = toast
  const Icon = icons[kind]
  const action = changeId ? { label: 'Undo', run: () => void undoChange(changeId, title) } : toast.action
  const isLong = action !== undefined || kind === 'error'
  useEffect(() => {
    if (isPaused || isLasting) return
    const timer = setTimeout(() => dismissToast(id), isLong ? visibleMs.long : visibleMs.short)
    return () => clearTimeout(timer)
  }, [id, isPaused, isLong, isLasting])
  const runAction = (): void => {
    dismissToast(id)
    action?.run()
  }
  const close = (): void => {
    dismissToast(id)
    toast.onClose?.()
  }
  return (
    <div className={classes['toast']} role={kind === 'error' ? 'alert' : undefined} data-kind={kind} data-toast>
      <Icon size={18} stroke={1.7} className={classes['icon']} aria-hidden="true" />
      <div className={classes['text']}>
        <p className={message ? classes['head'] : undefined} title={title}>
          {title}
        </p>
        {message && (
          <p className={classes['message']} title={message}>
            {message}
          </p>
        )}
      </div>
      {action && (
        <button type="button" className={classes['action']} onClick={runAction}>
          {action.label}
        </button>
      )}
      <ActionIcon size={26} aria-label="Dismiss notification" onClick={close}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
