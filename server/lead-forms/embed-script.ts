import type { FastifyInstance } from 'fastify'

/**
 * The script with which another website shows a form. It is written for every browser, because it runs outside of our pages:
 * `<script src="https://foyer.example/embed/form.js" data-form="offer" async></script>` puts a frame before itself.
 */
const script = `(function () {
  var script = document.currentScript
  if (!script || !script.dataset.form) return
  var origin = new URL(script.src).origin
  var query = new URLSearchParams(location.search)
  query.set('embed', '1')
  query.set('page', location.href.slice(0, 1000))
  var frame = document.createElement('iframe')
  frame.src = origin + '/form/' + encodeURIComponent(script.dataset.form) + '?' + query
  frame.title = script.dataset.title || 'Form'
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

/** Sends the script to every website. */
export function serveEmbedScript(server: FastifyInstance): void {
  server.get('/embed/form.js', (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script),
  )
}
