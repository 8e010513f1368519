// The script of the landing page. Prefetches the files of the application while the browser is idle, so that the sign-in page opens faster.
const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 500)) // Safari does not support requestIdleCallback

if (document.readyState === 'complete') whenIdle(prefetch)
else window.addEventListener('load', () => whenIdle(prefetch), { once: true })

function prefetch(): void {
  for (const href of (document.body.dataset['prefetch'] ?? '').split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.href = href
    document.head.append(link)
  }
}
