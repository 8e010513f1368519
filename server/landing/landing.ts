// The public page about Foyer at `/`, and the not-found page.
import type { Feature } from '#server/platform/feature/feature.ts'
import { definePublicPage } from '#server/platform/http/public-pages.ts'

const style = 'web/public/landing/landing.css'

export const landingFeature: Feature = {
  publicPages: [
    definePublicPage({
      name: 'landing',
      path: '/',
      files: { style, script: 'web/public/landing/landing.ts', prefetchModules: ['web/app.html', 'web/accounts/AuthPage.tsx'] },
      redirect: async (request, { isSignedIn }) => ((await isSignedIn(request)) ? '/dashboard' : undefined),
      loadContent: async (_request, { address, now }) => ({ year: now().getUTCFullYear(), address }),
    }),
    definePublicPage({ name: 'notFound', path: '*', files: { style }, loadContent: async () => null }),
  ],
}
