// What a page does when another website shows it in a frame. On that website, the scripts `/embed/form.js` and `/embed/book.js`
// receive its messages.

const isInFrame = window.parent !== window

/**
 * In a frame, sets a class by which the styles of the page differ, and shows the page in light or dark colours, like the website around it.
 */
export function adaptToFrame(): void {
  const { classList, style } = document.documentElement
  classList.toggle('in-frame', isInFrame)
  // the script on the other website writes the colours into the name of the frame: "foyer dark"
  const [, colors] = /^foyer (.+)$/.exec(window.name) ?? []
  if (isInFrame && colors !== undefined) style.colorScheme = colors
}

/** Tells the surrounding page the height of this page whenever it changes, so that the frame needs no scroll bar. */
export function reportHeight(): void {
  if (!isInFrame) return
  // `scrollHeight` is at least the height of the frame, so that the frame would never become smaller
  const send = (): void => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
    window.parent.postMessage({ type: 'foyer:height', height }, '*')
  }
  new ResizeObserver(send).observe(document.body)
  send()
}

/** Opens an address in the whole window, also from a frame. */
export function openInTopWindow(address: string): void {
  if (!isInFrame) {
    location.assign(address)
    return
  }
  window.parent.postMessage({ type: 'foyer:redirect', address }, '*') // for browsers that forbid the next line
  try {
    if (window.top) window.top.location.href = address
  } catch {
    // the surrounding page opens the address
  }
}
