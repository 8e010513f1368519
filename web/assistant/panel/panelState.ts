import { createStore } from '#web/lib/store.ts'

type PanelState = {
  isOpen: boolean
  /** The conversation in the panel; undefined for a new one. It stays while the panel is closed. */
  conversationId: string | undefined
}

const closed: PanelState = { isOpen: false, conversationId: undefined }

/** What the panel shows. It survives the navigation between screens. */
export const panelState = createStore(closed)

export const changePanel = (changes: Partial<PanelState>): void => panelState.set({ ...panelState.get(), ...changes })

/** Closes the panel and forgets its conversation. Called at sign-out. */
export const resetPanel = (): void => panelState.set(closed)
