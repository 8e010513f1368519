import { createRouter, lazyRouteComponent, type RouterHistory } from '@tanstack/react-router'
import { featureRegistry, type ContactTab, type FirstStep, type KindDisplay } from '#web/lib/features.ts'
import { rootRoute, signedIn } from '#web/lib/routes.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { features } from './features.ts'

rootRoute.update({ errorComponent: ErrorPage, notFoundComponent: NotFoundPage })
signedIn.update({ component: lazyRouteComponent(() => import('./Frame.tsx'), 'Frame') }) // the sign-in page comes without it

featureRegistry.set({
  records: features.flatMap<KindDisplay>((feature) => ('records' in feature ? feature.records : [])),
  firstSteps: features.flatMap<FirstStep>((feature) => ('firstSteps' in feature ? feature.firstSteps : [])),
  contactTabs: features
    .flatMap<ContactTab>((feature) => ('contactTab' in feature ? [feature.contactTab] : []))
    .toSorted((one, other) => Number(other.isFirst ?? false) - Number(one.isFirst ?? false)),
})

type Feature = (typeof features)[number]
type RouteOfEverybody = Extract<Feature, { everybody: unknown }>['everybody'][number]
type RouteOfSignedIn = Extract<Feature, { signedIn: unknown }>['signedIn'][number]

const everybody = features.flatMap<RouteOfEverybody>((feature) => ('everybody' in feature ? feature.everybody : []))
const behindTheDoor = features.flatMap<RouteOfSignedIn>((feature) => ('signedIn' in feature ? feature.signedIn : []))
const routeTree = rootRoute.addChildren([...everybody, signedIn.addChildren(behindTheDoor)])

/** All addresses of the application. Tests bring a history of their own. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({ routeTree, defaultPreload: 'intent', defaultErrorComponent: ErrorPage, ...(history ? { history } : {}) })
}

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
