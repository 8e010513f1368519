import { createRouter, lazyRouteComponent, type RouterHistory } from '@tanstack/react-router'
import { featureRegistry, type ContactTab, type FirstStep, type KindDisplay } from '#web/lib/features.ts'
import { rootRoute, signedInRoute } from '#web/lib/routes.ts'
import { ErrorPage } from './ErrorPages.tsx'
import { features } from './features.ts'

rootRoute.update({
  errorComponent: ErrorPage,
  notFoundComponent: lazyRouteComponent(() => import('./NotFoundPage.tsx'), 'NotFoundPage'),
})
// loaded lazily, so that the sign-in page does not load the frame
signedInRoute.update({ component: lazyRouteComponent(() => import('./Frame.tsx'), 'Frame') })

featureRegistry.set({
  records: features.flatMap<KindDisplay>((feature) => ('records' in feature ? feature.records : [])),
  firstSteps: features.flatMap<FirstStep>((feature) => ('firstSteps' in feature ? feature.firstSteps : [])),
  contactTabs: features
    .flatMap<ContactTab>((feature) => ('contactTab' in feature ? [feature.contactTab] : []))
    .toSorted((one, other) => one.position - other.position),
})

type Feature = (typeof features)[number]
type PublicRoute = Extract<Feature, { publicRoutes: unknown }>['publicRoutes'][number]
type SignedInRoute = Extract<Feature, { signedInRoutes: unknown }>['signedInRoutes'][number]

const publicRoutes = features.flatMap<PublicRoute>((feature) => ('publicRoutes' in feature ? feature.publicRoutes : []))
const signedInRoutes = features.flatMap<SignedInRoute>((feature) => ('signedInRoutes' in feature ? feature.signedInRoutes : []))
const routeTree = rootRoute.addChildren([...publicRoutes, signedInRoute.addChildren(signedInRoutes)])

/** Creates the router with all routes of the application. Without `history`, the router uses the history of the browser. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({ routeTree, defaultPreload: 'intent', defaultErrorComponent: ErrorPage, ...(history ? { history } : {}) })
}

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
