// The screens of the import are one chunk, because the names of all chunks are in the code that every screen loads first.
export { ImportDialog } from './dialog/ImportDialog.tsx'
export { ImportsPage } from './history/ImportsPage.tsx'
export { ImportPage } from './ImportPage.tsx'
export { RunningImports } from './running/RunningImports.tsx'
