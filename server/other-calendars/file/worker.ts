import { parentPort, workerData } from 'node:worker_threads'
import { findBusyTimes, type FileRequest } from './busy.ts'

const request: FileRequest = workerData
parentPort?.postMessage(findBusyTimes(request), []) // no objects are transferred
