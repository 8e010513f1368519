// Runs before each test file and gives its user a new email, because the test files of a worker share the module of the user.
import { makeEmail, nora } from './accounts.ts'

nora.email = makeEmail()
