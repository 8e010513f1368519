import { createRoute, type RouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '#web/lib/routes.ts'

type Search = Record<string, unknown>
type Screens = { list: RouteComponent; add: RouteComponent; show: RouteComponent; edit: RouteComponent }

/**
 * Creates the routes of a kind of record that opens over its list: `/crm/deals`, `/crm/deals/new`, `/crm/deals/ID`, `/crm/deals/ID/edit`.
 * `parseList` and `parseNew` parse the search parameters.
 */
export function recordRoutes<const Path extends `/crm/${string}`, List extends object, New extends object>(
  path: Path,
  { parseList, parseNew, screens }: { parseList: (search: Search) => List; parseNew: (search: Search) => New; screens: Screens },
) {
  const list = createRoute({ getParentRoute: () => signedInRoute, path, validateSearch: parseList, component: screens.list })
  const add = createRoute({ getParentRoute: () => list, path: 'new', validateSearch: parseNew, component: screens.add })
  const show = createRoute({ getParentRoute: () => list, path: '$id', validateSearch: parsePanel, component: screens.show })
  const edit = createRoute({ getParentRoute: () => show, path: 'edit', component: screens.edit })
  return list.addChildren([add, show.addChildren([edit])])
}

/** `panel=page`: the panel fills the page. The search of the list is in the same URL. */
const parsePanel = ({ panel }: Record<string, unknown>): { panel?: 'page' | undefined } => (panel === 'page' ? { panel } : {})
