import { createRoute, type RouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '#web/lib/routes.ts'

type Search = Record<string, unknown>
type Screens = { list: RouteComponent; add: RouteComponent; show: RouteComponent; edit: RouteComponent }

/**
 * Creates the routes of a kind of record that opens over its list: `/crm/deals`, `/crm/deals/new`, `/crm/deals/ID`, `/crm/deals/ID/edit`.
 * `parseList` parses the URL parameters of the list, and `parseNew` those of the form for a new record.
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

/** With `panel=page` in the URL, the panel of the record fills the page. The parameters of the list are in the same URL. */
const parsePanel = ({ panel }: Search): { panel?: 'page' | undefined } => (panel === 'page' ? { panel } : {})
