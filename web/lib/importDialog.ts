import type { ImportKind } from '#contract/imports.ts'
import { createStore } from './store.ts'

/** The kind of records that the open import dialog imports; undefined while it is closed. */
export const importDialogKind = createStore<ImportKind | undefined>(undefined)

/** Opens the import dialog over the current screen. */
export const openImport = (kind: ImportKind): void => importDialogKind.set(kind)
