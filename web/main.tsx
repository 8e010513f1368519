import './shell/theme/base.css'
import './tokens.css'
import './shell/theme/mantine.css'
import './shell/theme/foyer.css'
import '@fontsource-variable/inter/wght.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import { Application } from '#web/shell/Application.tsx'
import { preventRouterReloadWhenOffline } from '#web/shell/ErrorPages.tsx'
import { createAppRouter } from '#web/shell/router.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce) // dialogs add style elements, which the content security policy allows only with this nonce
preventRouterReloadWhenOffline()
// tells the script in app.html that the browser has the font in its cache
document.fonts.addEventListener('loadingdone', () => localStorage.setItem('foyer-font', 'cached'), { once: true })
const router = createAppRouter()
// removes the skeleton, which covers the empty root element, when the first screen is rendered
const stopWaiting = router.subscribe('onRendered', () => {
  stopWaiting()
  document.getElementById('skeleton')?.remove()
})
createRoot(root).render(
  <StrictMode>
    <Application router={router} nonce={nonce} />
  </StrictMode>,
)
