import { createRoute, type RouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '#web/lib/routes.ts'

type UrlParameters = Record<string, unknown>
type Screens = { list: RouteComponent; add: RouteComponent; show: RouteComponent; edit: RouteComponent }
type RecordRoutesOptions<List, New> = {
  /** Parses the URL parameters of the list. */
  parseList: (parameters: UrlParameters) => List
  /** Parses the URL parameters of the form for a new record. */
  parseNew: (parameters: UrlParameters) => New
  screens: Screens
}

/**
 * Creates the routes of a kind whose records open over their list: `/crm/deals`, `/crm/deals/new`, `/crm/deals/ID`, `/crm/deals/ID/edit`.
 */
export function recordRoutes<const Path extends `/crm/${string}` | `/bookings/${string}`, List extends object, New extends object>(
  path: Path,
  { parseList, parseNew, screens }: RecordRoutesOptions<List, New>,
) {
  const list = createRoute({ getParentRoute: () => signedInRoute, path, validateSearch: parseList, component: screens.list })
  const add = createRoute({ getParentRoute: () => list, path: 'new', validateSearch: parseNew, component: screens.add })
  const show = createRoute({ getParentRoute: () => list, path: '$id', validateSearch: parsePanel, component: screens.show })
  const edit = createRoute({ getParentRoute: () => show, path: 'edit', component: screens.edit })
  return list.addChildren([add, show.addChildren([edit])])
}

/** With `panel=page` in the URL, the panel of the record fills the page. The parameters of the list are in the same URL. */
const parsePanel = ({ panel }: UrlParameters): { panel?: 'page' | undefined } => (panel === 'page' ? { panel } : {})
