// The screens of the import are one chunk, because every further chunk makes the first load of other screens larger.
export { ImportDialog } from './dialog/ImportDialog.tsx'
export { ImportsPage } from './history/ImportsPage.tsx'
export { ImportPage } from './ImportPage.tsx'
export { RunningImports } from './running/RunningImports.tsx'
