// The page and the panel are one chunk, because they share almost all of their code, and each further chunk would add its name to the code
// that every screen loads first.
export { AssistantPage } from './AssistantPage.tsx'
export { AssistantPanel } from './panel/AssistantPanel.tsx'
