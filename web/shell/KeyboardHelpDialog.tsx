import '#web/ui/dialogs.css'
import { Modal } from '@mantine/core'
import { actions } from '#web/lib/actions.ts'
import { handledKeys } from '#web/lib/handledKeys.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './KeyboardHelpDialog.module.css'

/** Lists the shortcuts of the current screen. If several actions have the same shortcut, only the newest is listed. */
export function KeyboardHelpDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const actionsWithShortcut = useStore(actions).flatMap(({ keys, ...action }) => (keys ? [{ ...action, keys }] : []))
  const newestByShortcut = new Map(actionsWithShortcut.map((action) => [action.keys, action]))
  const groups = Map.groupBy(newestByShortcut.values(), ({ group }) => group ?? 'On this page')
  const ownKeys = useStore(handledKeys)
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={440}>
      {/* in reverse order of registration, so that the actions of the page, which are registered last, come first */}
      {[...ownKeys, ...[...groups].toReversed()].map(([group, members]) => (
        <section key={group} className={classes['group']}>
          <h3 className={classes['head']}>{group}</h3>
          <dl>
            {members.map(({ keys, label }) => (
              <div key={keys} className={classes['row']}>
                <dt>{label}</dt>
                <dd className={classes['keys']}>
                  {keys.split(' ').map((alternative) => (
                    <Shortcut key={alternative} keys={formatKeys(alternative)} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  )
}
