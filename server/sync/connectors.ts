import type { CrmType } from '#contract/crmConnections.ts'
import type { Connector } from './connector.ts'
import { insightly } from './insightly.ts'

/** The connector of each kind of CRM. */
export const connectors: Record<CrmType, Connector> = { insightly }
