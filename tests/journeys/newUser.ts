// Runs before each test file, because the files of a worker share their modules.
import { makeEmail, nora } from './accounts.ts'

nora.email = makeEmail()
