import { ConnectionPill } from './connection/ConnectionPill.tsx'
import { PrintPart } from './print/PrintPart.tsx'

/** The parts of the frame that no first screen needs. Their code is loaded a few seconds after the first screen. */
export const DeferredParts = () => (
  <>
    <ConnectionPill />
    <PrintPart />
  </>
)
