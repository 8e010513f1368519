import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queries } from '#web/lib/queries.ts'
import { signInAgainDialog, watchSession } from '#web/lib/session.ts'
import { useStore } from '#web/lib/store.ts'
import type { createAppRouter } from './router.ts'
import { cssVariablesResolver, theme } from './theme/theme.ts'
import { Toaster } from './Toaster.tsx'

type ApplicationProps = { router: ReturnType<typeof createAppRouter>; nonce?: string; env?: 'default' | 'test' }

// `lazyPart` would close the dialog on Escape and keep the keys from the page while the code is loading, so it is not used here
const SignInAgainDialog = lazy(() => import('./SignInAgainDialog.tsx').then((module) => ({ default: module.SignInAgainDialog })))

/** The root component. `nonce` is the nonce with which the content security policy allows style elements. */
export function Application({ router, nonce = '', env = 'default' }: ApplicationProps) {
  useEffect(() => watchSession((page, options) => leavePage(router, page, options)), [router])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      getStyleNonce={() => nonce}
      defaultColorScheme="auto"
      env={env}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <OpenSignInAgainDialog />
        <Toaster />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Shows the dialog that asks for the password, while it is open. Escape then closes none of the dialogs below it. */
function OpenSignInAgainDialog() {
  const dialog = useStore(signInAgainDialog)
  // each open dialog listens on the window in an effect, and a layout effect runs before these, so this listener is called first
  useLayoutEffect(() => {
    const stopEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && signInAgainDialog.get()) event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', stopEscape, { capture: true })
    return () => window.removeEventListener('keydown', stopEscape, { capture: true })
  }, [])
  if (!dialog) return null
  return (
    <Suspense>
      <SignInAgainDialog email={dialog.email} onSignedIn={() => dialog.resolve(true)} onLeave={() => dialog.resolve(false)} />
    </Suspense>
  )
}

/** Opens the sign-in page or the landing page. With `shouldReturn`, signing in opens the current address again. */
async function leavePage(
  router: ApplicationProps['router'],
  page: '/auth' | '/',
  { shouldReturn }: { shouldReturn: boolean },
): Promise<void> {
  if (page === '/') return location.assign('/') // the landing page is not part of the application
  const { pathname, href } = router.state.location
  if (pathname === '/auth') return
  // with `shouldReturn` the sign-in page replaces the current page in the browser history, so that sign-in does not add that page twice
  await router.navigate({ to: page, search: shouldReturn ? { next: href } : {}, replace: shouldReturn, ignoreBlocker: true })
}
