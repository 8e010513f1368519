import { lazy, Suspense, useEffect } from 'react'
import { IconUpload } from '@tabler/icons-react'
import type { ImportKind } from '#contract/imports.ts'
import { useActions } from '#web/lib/actions.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { importDialogKind, openImport } from '#web/lib/importDialog.ts'
import { useStore } from '#web/lib/store.ts'
import { restoreRunningImports, runningImports } from './running/runningImports.ts'

const ImportDialog = lazyPart(() => import('./screens.ts').then((module) => module.ImportDialog))
const RunningImports = lazy(() => import('./screens.ts').then((module) => ({ default: module.RunningImports })))

const close = (): void => importDialogKind.set(undefined)

const createAction = (kind: ImportKind, label: string) => ({
  label,
  icon: IconUpload,
  group: 'Everywhere',
  keywords: 'csv excel xlsx vcf vcard upload file spreadsheet',
  run: () => openImport(kind),
})

/**
 * Opens the dialog for the file of an import, and follows the imports that this browser has started. This component is small, because it is
 * part of the first load.
 */
export function ImportSlot() {
  const kind = useStore(importDialogKind)
  const hasRunningImports = useStore(runningImports).length > 0
  useActions([
    createAction('contact', 'Import contacts'),
    createAction('company', 'Import companies'),
    createAction('deal', 'Import deals'),
    createAction('task', 'Import tasks'),
  ])
  useEffect(restoreRunningImports, [])
  useEffect(() => close, [])
  return (
    <>
      {kind && <ImportDialog key={kind} kind={kind} onLoadCancelled={close} onClose={close} />}
      <Suspense>{hasRunningImports && <RunningImports />}</Suspense>
    </>
  )
}
