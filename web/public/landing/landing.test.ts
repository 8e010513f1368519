import { expect, test } from 'vitest'

test('the files of the application are prefetched after the page has loaded', async () => {
  document.body.dataset['prefetch'] = '/assets/a.js /assets/b.css'
  await import('./landing.ts')
  window.dispatchEvent(new Event('load'))
  await expect
    .poll(() => [...document.querySelectorAll('link[rel=prefetch]')].map((link) => link.getAttribute('href')), { timeout: 5000 })
    .toEqual(['/assets/a.js', '/assets/b.css'])
})
