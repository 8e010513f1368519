import { useEffect } from 'react'

const unsaved = new Set<symbol>()

/** Registers a form that holds something unsaved: when the session ends meanwhile, the password is asked for over the page. */
export function useDirtyEditor(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    const editor = Symbol('editor')
    unsaved.add(editor)
    return () => void unsaved.delete(editor)
  }, [dirty])
}

export const hasDirtyEditor = (): boolean => unsaved.size > 0
