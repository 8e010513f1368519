import type { FastifyInstance } from 'fastify'

/**
 * A kind of public pages that other websites show. `path`: the first part of the path of these pages, such as `form`. `title`: the default
 * title of the frame.
 */
export type EmbeddedPages = { path: string; title: string }

/**
 * Returns the script with which another website shows a page. For example, the element
 * `<script src="https://foyer.example/embed/form.js" data-form="offer" async></script>` puts a frame with `/form/offer` before itself. The
 * script is written for old browsers too, because it runs on other websites. The name of the frame tells each page in it whether the
 * website is light or dark, because a frame does not learn that from the browser.
 */
const createScript = ({ path, title }: EmbeddedPages): string => `(function () {
  var script = document.currentScript
  if (!script || !script.dataset.${path}) return
  var origin = new URL(script.src).origin
  var query = new URLSearchParams(location.search)
  query.set('embed', '1')
  query.set('page', location.href.slice(0, 1000))
  var frame = document.createElement('iframe')
  frame.src = origin + '/${path}/' + encodeURIComponent(script.dataset.${path}) + '?' + query
  frame.title = script.dataset.title || '${title}'
  var colors = getComputedStyle(script).colorScheme
  frame.name = 'foyer ' + (!colors || colors === 'normal' ? 'light' : colors)
  frame.style.cssText = 'display:block;width:100%;height:480px;border:0;color-scheme:normal'
  frame.allow = ''
  script.parentNode.insertBefore(frame, script)
  window.addEventListener('message', function (event) {
    if (event.origin !== origin || event.source !== frame.contentWindow || !event.data) return
    if (event.data.type === 'foyer:height' && event.data.height > 0) frame.style.height = Math.ceil(event.data.height) + 'px'
    if (event.data.type === 'foyer:redirect' && /^https?:/i.test(event.data.address)) location.assign(event.data.address)
  })
})()
`

/** Sends the script for these pages to every website, at `/embed/{path}.js`. */
export function serveEmbedScript(server: FastifyInstance, pages: EmbeddedPages): void {
  const script = createScript(pages)
  server.get(`/embed/${pages.path}.js`, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script),
  )
}
