import { ConnectionPill } from './connection/ConnectionPill.tsx'
import { PrintPart } from './print/PrintPart.tsx'

/** The parts of the frame that no first screen needs. They are loaded a few seconds after it. */
export const LateParts = () => (
  <>
    <ConnectionPill />
    <PrintPart />
  </>
)
