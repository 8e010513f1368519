// The script of the landing page. Prefetches the files of the application while the browser is idle, so that the sign-in page opens faster.
// oxlint-disable import/no-unassigned-import -- adds the pictures to the browser's build; the page, which the server renders, has only their addresses
import './pictures/board-dark.avif?url'
import './pictures/board-light.avif?url'
import './pictures/board-phone-dark.avif?url'
import './pictures/board-phone-light.avif?url'
// oxlint-enable import/no-unassigned-import

const safariDelayMs = 500
/** Calls a function when the browser is idle. In Safari, which has no requestIdleCallback, calls it after a delay. */
const runWhenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, safariDelayMs))

if (document.readyState === 'complete') runWhenIdle(prefetch)
else window.addEventListener('load', () => runWhenIdle(prefetch), { once: true })

function prefetch(): void {
  for (const href of (document.body.dataset['prefetch'] ?? '').split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.href = href
    document.head.append(link)
  }
}
