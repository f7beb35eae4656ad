// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

// The test protocol, and packages of npm in a folder of their own.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

// What npm says when nobody answers; anything else is a fault of the test.
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|CERT|ENOTCACHED/

/** Installs packages, or skips the whole program with the reason where npm cannot be reached. */
export function install (folder, packages) {
  const stamp = path.join(folder, packages.join(',').replace(/[^\w.,-]/g, '_'))
  mkdirSync(folder, { recursive: true })
  if (!existsSync(stamp)) {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n')
    const npm = spawnSync('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund',
      '--no-save', '--ignore-scripts', ...packages], { cwd: folder, encoding: 'utf8' })
    if (npm.status !== 0) {
      const output = npm.error?.message ?? npm.stderr
      const reason = output.split('\n').find(line => UNREACHABLE.test(line))
      if (reason === undefined) throw new Error(output)
      console.log(`1..0 # SKIP npm cannot be reached: ${reason.replace(/^npm \S+ /, '')}`)
      process.exit(0)
    }
    writeFileSync(stamp, '')
  }
  return createRequire(pathToFileURL(path.join(folder, 'package.json')))
}

let count = 0
let failed = 0

export function note (text) {
  for (const line of String(text).split('\n')) console.log(`# ${line}`)
}

/** Runs one test; what it returns is told, what it throws is its failure. */
export async function test (name, body) {
  count++
  try {
    const told = await body()
    if (told) note(told)
    console.log(`ok ${count} - ${name}`)
  } catch (error) {
    failed++
    note(error.stack ?? error)
    console.log(`not ok ${count} - ${name}`)
  }
}

export function finish () {
  console.log(`1..${count}`)
  process.exitCode = failed > 0 ? 1 : 0
}
