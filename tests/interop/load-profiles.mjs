// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

// load-profiles.mjs HOST HOME PROFILE: what the host makes of many states of one home. Reads a
// list of states from stdin, each { file of the home: its text }, and prints a list of what
// `dsh --dump-config` shows of each and of what its settings hold: { rows, said, settings } or
// { error }. The functions are the host's own, called once per state in one process: to start
// the host for every state would take minutes.

import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [top, home, profile] = process.argv.slice(2);
const require = createRequire(path.join(top, 'package.json'));
const yaml = require('js-yaml');
const modules = path.join(top, 'node_modules/@deepseek-ai');

const expression = new yaml.Type('tag:yaml.org,2002:js', { kind: 'scalar', construct: (text) => `js:${text}` });
const schema = yaml.JSON_SCHEMA.extend([expression]);

// The command line loads this file for --dump-config; its name has a hash in it.
async function findDump() {
  const lib = path.join(modules, 'dsh/lib');
  const name = /import\("\.\/(dump-config-[^"]+\.js)"\)/.exec(fs.readFileSync(path.join(lib, 'bin.js'), 'utf8'))[1];
  return (await import(pathToFileURL(path.join(lib, name)))).runDumpConfig;
}

async function findSettings() {
  const { FileSettingsProvider } = await import(pathToFileURL(path.join(modules, 'dsh-settings-file/lib/index.js')));
  return (text, filename) => FileSettingsProvider.prototype.parse.call({ spec: { format: 'yaml', filename } }, text);
}

function capture(call) {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  const texts = ['', ''];
  streams.forEach((stream, at) => { stream.write = (text) => { texts[at] += text; return true; }; });
  try {
    call();
  } finally {
    streams.forEach((stream, at) => { stream.write = writes[at]; });
  }
  return texts;
}

function collectRows(list, rows = {}) {
  for (const row of list ?? []) {
    if (row?.id) rows[row.id] = row;
    if (Array.isArray(row?.config)) collectRows(row.config, rows);
  }
  return rows;
}

function write(state, written) {
  for (const name of written) if (!(name in state)) fs.rmSync(path.join(home, name), { force: true });
  for (const [name, text] of Object.entries(state)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), text);
    written.add(name);
  }
}

function load(state, runDump, parseSettings) {
  try {
    const [dump, said] = capture(() => runDump(profile, false, []));
    const settings = 'settings.yaml' in state ? parseSettings(state['settings.yaml'], 'settings.yaml') : {};
    return { rows: collectRows(yaml.load(dump, { schema })), said, settings };
  } catch (error) {
    return { error: String(error) };
  }
}

process.env.DSH_HOME = home;
const runDump = await findDump();
const parseSettings = await findSettings();
const written = new Set();
const results = JSON.parse(fs.readFileSync(0, 'utf8')).map((state) => {
  write(state, written);
  return load(state, runDump, parseSettings);
});
process.stdout.write(`${JSON.stringify(results)}\n`);
