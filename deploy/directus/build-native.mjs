// Builds isolated-vm, the only dependency of Directus without a prebuilt binary, with the Node that
// will load it and that Node's own headers, which are in its npm package. Nothing is downloaded.
// The machine's Node only runs npm, and this script until the other Node is installed.
//
// Run it with `npm run build`: npm puts node-gyp on the PATH. A second run does nothing.

import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const modules = join(here, 'node_modules')
const isolatedVm = join(modules, 'isolated-vm')
const nodeDir = join(modules, `node-${process.platform}-${process.arch}`)

function fail(message) {
  console.error(`build-native: ${message}`)
  process.exit(1)
}

if (!existsSync(join(nodeDir, 'include', 'node', 'node.h'))) {
  fail(`no Node in ${nodeDir}; run npm ci on a 64-bit Linux machine (x64 or arm64)`)
}
// npm before version 11 removes this link together with the package for other processors, which has
// a link of the same name.
const pinned = join(modules, '.bin', 'node')
if (!existsSync(pinned)) symlinkSync(relative(dirname(pinned), join(nodeDir, 'bin', 'node')), pinned)
if (realpathSync(process.execPath) !== realpathSync(pinned)) {
  const again = spawnSync(pinned, [fileURLToPath(import.meta.url)], { stdio: 'inherit' })
  process.exit(again.status ?? 1)
}

function loads() {
  try {
    createRequire(join(isolatedVm, 'package.json'))('./out/isolated_vm.node')
    return true
  } catch {
    return false
  }
}

if (existsSync(join(isolatedVm, 'out', 'isolated_vm.node')) && loads()) process.exit(0)
const built = spawnSync('node-gyp', ['rebuild', '--release', '-j', 'max', '--nodedir', nodeDir], {
  cwd: isolatedVm,
  encoding: 'utf8',
  env: {
    ...process.env,
    PATH: `${join(modules, '.bin')}:${process.env.PATH}`,
    npm_config_nodedir: nodeDir,
    // Without debug symbols: compiling takes a quarter less time, and the result has 1 MB instead
    // of 26 MB.
    CXXFLAGS: '-g0 -O2',
  },
})
if (built.error) fail('node-gyp is not on the PATH; run this as `npm run build`')
if (built.status !== 0) {
  process.stderr.write(`${built.stdout}${built.stderr}`)
  fail('isolated-vm was not built; it needs python3, make and a C++17 compiler (g++)')
}
// The object files are ten times as large as the module itself.
rmSync(join(isolatedVm, 'build'), { recursive: true, force: true })
if (!loads()) fail('isolated-vm was built, but this Node does not load it')
