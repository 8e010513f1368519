import './shell/theme/base.css'
import './tokens.css'
import './shell/theme/mantine.css'
import './shell/theme/foyer.css'
import '@fontsource-variable/inter/wght.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import { Application } from '#web/shell/Application.tsx'
import { stayWhenOffline } from '#web/shell/loadFailure.ts'
import { createAppRouter } from '#web/shell/router.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce) // dialogs write a style element of their own and ask for the nonce there
stayWhenOffline()
createRoot(root).render(
  <StrictMode>
    <Application router={createAppRouter()} nonce={nonce} />
  </StrictMode>,
)
