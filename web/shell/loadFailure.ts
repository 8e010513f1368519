const inWords = /dynamically imported module|module script failed|unable to preload css/i // Chrome and Firefox, Safari, Vite

/** Whether an error says that a part of the application could not be fetched. */
export const isLoadFailure = (error: unknown): boolean => error instanceof Error && inWords.test(error.message)

/**
 * The router reloads the page once when a screen cannot be fetched, for there may be a newer build. Without network that would end
 * on the browser's own error page: then the router is told that it has done so already.
 */
export function stayWhenOffline(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (!navigator.onLine) sessionStorage.setItem(`tanstack_router_reload:${payload.message}`, '1')
  })
}
