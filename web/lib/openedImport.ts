import type { ImportKind } from '#contract/imports.ts'
import { createStore } from './store.ts'

/** The kind of the records for which the dialog for the file of an import is open. */
export const openedImport = createStore<ImportKind | undefined>(undefined)

/** Opens the dialog for the file of an import over the current screen. */
export const openImport = (kind: ImportKind): void => openedImport.set(kind)
