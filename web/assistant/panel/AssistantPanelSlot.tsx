import { useEffect, type ReactNode } from 'react'
import { useLocation } from '@tanstack/react-router'
import { useActions } from '#web/lib/actions.ts'
import { askAssistant, pendingQuestion } from '#web/lib/askAssistant.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { useStore } from '#web/lib/store.ts'
import { assistantEntry } from '../sidebar.ts'
import { changePanel, panelState, resetPanel } from './panelState.ts'

const AssistantPanel = lazyPart(() => import('../screens.ts').then((module) => module.AssistantPanel))

const setOpen = (isOpen: boolean): void => changePanel({ isOpen })

const giveUp = (): void => {
  setOpen(false)
  pendingQuestion.set(undefined)
}

/**
 * Shows the panel of the assistant while it is open, and loads its code the first time. The page of the assistant has no panel. This
 * component is small, because it is part of the first load.
 */
export function AssistantPanelSlot(): ReactNode {
  const { isOpen } = useStore(panelState)
  const isAsked = useStore(pendingQuestion) !== undefined
  const isOnPage = useLocation().pathname.startsWith(assistantEntry.address)
  useEffect(() => resetPanel, [])
  useActions(
    isOnPage
      ? []
      : [
          {
            keys: 'mod+j',
            label: 'Ask the assistant',
            group: 'Everywhere',
            icon: assistantEntry.icon,
            keywords: assistantEntry.keywords,
            worksWhileTyping: true,
            run: () => setOpen(!isOpen),
            runWithText: (text) => askAssistant({ text }),
          },
        ],
  )
  return (isOpen || isAsked) && !isOnPage && <AssistantPanel onLoadCancelled={giveUp} />
}
