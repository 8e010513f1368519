// The page and the panel are one chunk, because they share almost all of their code. A further chunk would also add its name to the code
// that every screen loads first.
export { AssistantPage } from './AssistantPage.tsx'
export { AssistantPanel } from './panel/AssistantPanel.tsx'
